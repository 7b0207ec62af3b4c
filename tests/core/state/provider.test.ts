/** Rare events of the embedded provider, and the state they lead to. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import type { ChannelEntry, ClientMessage } from "../../../src/model/state.ts";
import { listedChannels } from "../../../src/model/channels.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { postingBlock, isPending } from "../../../src/model/membership.ts";
import { signToken } from "../../../src/wire/token.ts";
import { coreOn } from "../../support/core-on.ts";
import { until } from "../../support/fake-provider.ts";

const SECRET = "a secret that is long enough for a test";
const CID = "messaging:tea";
const MINUTE = 60_000;
let folder: string;
let provider: Provider;
const cores: Core[] = [];

async function join(id: string): Promise<Core> {
  const client = coreOn(provider.url, { apiKey: provider.apiKey });
  cores.push(client);
  await client.connectUser({ id, name: id.toUpperCase() }, signToken({ user_id: id }, SECRET));
  return client;
}
function server(): Core {
  const client = coreOn(provider.url, { apiKey: provider.apiKey, secret: SECRET });
  cores.push(client);
  return client;
}
async function joinTwo(members = ["mira", "otto"]): Promise<[Core, Core]> {
  const [mira, otto] = [await join("mira"), await join("otto")];
  await mira.watch(CID, { members });
  await otto.watch(CID);
  return [mira, otto];
}
const entry = (client: Core, cid = CID): ChannelEntry | undefined => client.state().channels.get(cid);
const shown = (client: Core, cid = CID): ClientMessage[] => [
  ...(entry(client, cid)?.sets.find((set) => set.isLatest)?.messages ?? []),
];
const loaded = (client: Core, id: string): ClientMessage | undefined =>
  shown(client).find((message) => message.id === id);
const blockOf = (client: Core): string | undefined => {
  const { channel, membership, unavailable } = entry(client)!;
  return postingBlock({ channel, membership, unavailable, me: client.state().me }, client.providerNow())
    ?.kind;
};
async function sendText(client: Core, text: string, cid = CID): Promise<string> {
  const outcome = await client.send({ cid }, { text }).outcome;
  if (outcome.state !== "received") throw new Error(`not received: ${JSON.stringify(outcome)}`);
  return outcome.message.id;
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-events-"));
  provider = createProvider({ data: path.join(folder, "data"), secret: SECRET });
  await provider.listen();
});
afterEach(async () => {
  await Promise.all(cores.splice(0).map((client) => client.close()));
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

test("a ban refuses posting at once, and allows it again when it expires (specification/moderation.md §2)", async () => {
  const [mira, otto] = await joinTwo();
  await server().call("ban", {
    body: {
      target_user_id: "otto",
      banned_by_id: "mira",
      type: "messaging",
      id: "tea",
      timeout: 10,
      reason: "milk first",
    },
  });
  await until("otto knows", () => blockOf(otto) === "banned");
  expect(entry(otto)!.membership!.ban_expires).toBeTruthy();
  expect(blockOf(mira)).toBeUndefined();
  expect(entry(mira)!.members.get("otto")!.banned).toBe(true);
  await until("his rights are known", () => !entry(otto)!.channel.own_capabilities!.includes("send-message"));
  provider.advance(11 * MINUTE);
  await until("otto is free", () => blockOf(otto) === undefined);
  await until("his rights are back", () => entry(otto)!.channel.own_capabilities!.includes("send-message"));
  await sendText(otto, "sorry");
});

test("a frozen channel refuses its members, and an unfrozen one allows them", async () => {
  const [mira, otto] = await joinTwo();
  await server().call("updateChannelPartial", {
    path: { type: "messaging", id: "tea" },
    body: { set: { frozen: true }, user_id: "mira" },
  });
  await until("both know", () => blockOf(otto) === "frozen" && blockOf(mira) === "frozen");
  await server().call("updateChannelPartial", {
    path: { type: "messaging", id: "tea" },
    body: { set: { frozen: false }, user_id: "mira" },
  });
  await until("both know", () => blockOf(otto) === undefined && blockOf(mira) === undefined);
  await sendText(otto, "warm again");
});

test("the own vote in an anonymous poll is visible to its voter only (specification/polls.md §4)", async () => {
  const [mira, otto] = await joinTwo();
  const { poll } = await mira.call("createPoll", {
    body: { name: "Drink?", options: [{ text: "Tea" }, { text: "Milk" }], voting_visibility: "anonymous" },
  });
  const outcome = await mira.send({ cid: CID }, { text: "", custom: { poll_id: poll.id } }).outcome;
  const id = (outcome as { message: ClientMessage }).message.id;
  await until("otto has it", () => loaded(otto, id)?.poll !== undefined);
  const [tea] = poll.options;
  await otto.call("castPollVote", {
    path: { message_id: id, poll_id: poll.id },
    body: { vote: { option_id: tea!.id } },
  });
  await until("mira has the count", () => loaded(mira, id)?.poll?.vote_count === 1);
  await until("otto has the count", () => loaded(otto, id)?.poll?.vote_count === 1);
  expect(loaded(otto, id)!.poll!.own_votes).toMatchObject([{ option_id: tea!.id }]);
  expect(loaded(mira, id)!.poll!.own_votes).toEqual([]);
  await otto.call("removePollVote", {
    path: { message_id: id, poll_id: poll.id, vote_id: loaded(otto, id)!.poll!.own_votes[0]!.id },
  });
  expect(loaded(otto, id)!.poll!.own_votes).toEqual([]);
  await mira.call("deletePoll", { path: { poll_id: poll.id } });
  await until("it is gone", () => loaded(otto, id)?.poll === null);
  expect(loaded(otto, id)!.poll_id).toBe(poll.id);
});

test("R-REM-2: a reminder marks its message, survives an edit, and shows a notice when due", async () => {
  const [mira, otto] = await joinTwo();
  const id = await sendText(mira, "water the plants");
  await until("otto has it", () => loaded(otto, id) !== undefined);
  await otto.reminders.create(id, 2 * MINUTE);
  await until("it is marked", () => loaded(otto, id)?.reminder !== undefined);
  expect(loaded(mira, id)).not.toHaveProperty("reminder");
  await mira.edit(loaded(mira, id)!, { text: "water the plants!" });
  await until("the edit came", () => loaded(otto, id)?.text === "water the plants!");
  expect(loaded(otto, id)!.reminder).toMatchObject({ message_id: id });
  provider.advance(3 * MINUTE);
  await until("it is due", () => otto.state().notices.length > 0);
  expect(otto.state().notices).toMatchObject([{ text: "A reminder is due", reason: "water the plants!" }]);
  await until("the message is marked", () => loaded(otto, id)!.reminderDue === true);
  await otto.watch(CID);
  expect(loaded(otto, id)).toHaveProperty("reminderDue", true);
  await otto.reminders.remove(id);
  await until("it is gone", () => loaded(otto, id)?.reminder === undefined);
});

test("R-CHAN-2: an invitation arrives by an event; messages count as unread once it is accepted (specification/channels.md §7)", async () => {
  const mira = await join("mira");
  const otto = await join("otto");
  await mira.watch(CID, { members: ["mira"], invites: ["otto"] });
  await until("otto has it", () => isPending(entry(otto)?.membership));
  await sendText(mira, "come in");
  await until("he may look in", () => shown(otto).length === 1);
  expect(entry(otto)!.unread).toBe(0);
  await otto.call("updateChannel", { path: { type: "messaging", id: "tea" }, body: { accept_invite: true } });
  await until("accepted", () => !isPending(entry(otto)!.membership));
  await sendText(mira, "welcome");
  await until("it counts", () => entry(otto)!.unread === 1);
});

test("R-CHAN-1: blocking hides the direct channel at once, and unblocking restores it with the messages sent meanwhile (BL-2, BL-6)", async () => {
  const [mira, otto] = await joinTwo();
  await sendText(mira, "hello");
  await until("otto has it", () => shown(otto).length === 1);
  await otto.call("blockUser", { body: { blocked_user_id: "mira" } });
  await until("hidden", () => listedChannels(otto.state()).length === 0);
  await sendText(mira, "are you there?");
  await otto.call("unblockUser", { body: { blocked_user_id: "mira" } });
  await until("back, whole", () => listedChannels(otto.state()).length === 1 && shown(otto).length === 2);
});

test("LE-3, R-LOC-3: a live location shows in the channel, moves, and disappears with its message", async () => {
  const [mira, otto] = await joinTwo();
  const end_at = new Date(mira.providerNow() + 30 * MINUTE).toISOString();
  const outcome = await mira.send(
    { cid: CID },
    {
      text: "",
      custom: {
        shared_location: {
          latitude: 1,
          longitude: 2,
          end_at,
          created_by_device_id: mira.locations.deviceId(),
        },
      },
    },
  ).outcome;
  const id = (outcome as { message: ClientMessage }).message.id;
  await until("otto sees it", () => entry(otto)!.liveLocations.length === 1);
  await mira.call("updateLiveLocation", { body: { message_id: id, latitude: 5 } });
  await until("it moved", () => entry(otto)!.liveLocations[0]?.latitude === 5);
  await mira.remove(loaded(mira, id)!);
  await until("it ended", () => entry(otto)!.liveLocations.length === 0);
});

test("R-READ-9: a truncation for one member empties that member's channel only, and later messages are counted again", async () => {
  const [mira, otto] = await joinTwo();
  await sendText(mira, "one");
  provider.advance(1000);
  const truncatedAt = new Date(mira.providerNow() + 500).toISOString();
  provider.advance(2000);
  await sendText(mira, "two");
  await until("otto has both", () => entry(otto)!.unread === 2);
  await server().call("truncateChannel", {
    path: { type: "messaging", id: "tea" },
    body: { member_ids: ["otto"], truncated_at: truncatedAt, user_id: "mira" },
  });
  await until("cut", () => shown(otto).length === 1);
  expect(shown(otto)[0]!.text).toBe("two");
  expect(shown(mira)).toHaveLength(2);
  await until("counted", () => entry(otto)!.unread === 1);
});

test("R-READ-10: after a start a mention above the loaded page is counted until the channel is read", async () => {
  const mira = await join("mira");
  await join("otto");
  await mira.watch(CID, { members: ["mira", "otto"] });
  const mention = { text: "@otto the kettle", mentioned_users: ["otto"] };
  await mira.call("sendMessage", { path: { type: "messaging", id: "tea" }, body: { message: mention } });
  for (let n = 1; n <= 12; n++) await sendText(mira, `and ${n}`);
  const late = await join("otto");
  await late.queryChannels({ filter_conditions: { members: { $in: ["otto"] } }, message_limit: 10 });
  expect(entry(late)).toMatchObject({ unread: 13, mentions: 0 });
  await until("it is found", () => entry(late)!.mentions === 1);
  await late.markRead(CID);
  await until("all is read", () => entry(late)!.mentions === 0 && entry(late)!.unread === 0);
});
