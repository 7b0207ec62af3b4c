/** The steps of the check of a provider, in order: what is called, and what must come back. */
import type { AnyEvent } from "../../../../wire/events.ts";
import { makeCid } from "../../../../wire/ids.ts";
import { isObject } from "../../../../wire/json-object.ts";
import { agree, FILE_TEXT, Skip, type Probe } from "./probe.ts";

export interface Step {
  name: string;
  /** `write` changes what is the check's own, and is left out by --read-only. */
  kind: "read" | "write";
  run(probe: Probe): Promise<unknown>;
}

const PAGE = 10;

/** The text that the check sends: a word that nothing else has, so that it can be searched for. */
const textOf = (probe: Probe): string => `parley${probe.random} is a test message`;

/** Sends a message of the user into the channel of the check; the provider must keep its id. */
async function sends(probe: Probe, id: string, message: object): Promise<void> {
  const answer = await probe.call("sendMessage", {
    path: probe.channel,
    body: { message: { id, ...message } },
  });
  agree(answer.message.id === id, "the message got another id than the one it was sent with");
}

/** Removes the channel of the check, as the app where that is possible: a user may lack the right. */
const removeChannel = ({ server, user }: Probe, path: Probe["channel"]): Promise<unknown> =>
  server
    ? server.call("deleteChannel", { path, query: { hard_delete: true } })
    : user.call("deleteChannel", { path });

const isAbout =
  (id: string) =>
  ({ message }: AnyEvent): boolean =>
    isObject(message) && message.id === id;

export const readStep = (name: string, run: Step["run"]): Step => ({ name, kind: "read", run });
const writeStep = (name: string, run: Step["run"]): Step => ({ name, kind: "write", run });

/** Steps that change nothing. */
const reading: readonly Step[] = [
  readStep("settings of the app", (probe) => probe.call("getApp")),
  readStep("list channels", async (probe) => {
    const filter_conditions = { members: { $in: [probe.me] } };
    const sort = [{ field: "last_message_at", direction: -1 as const }];
    await probe.call("queryChannels", {
      body: { filter_conditions, sort, limit: PAGE, state: true, watch: false },
    });
  }),
  readStep("unread counts", (probe) => probe.call("getUnread", { query: {} })),
  readStep("find people", async (probe) => {
    const { users } = await probe.call("queryUsers", {
      query: { filter_conditions: { id: { $in: [probe.me] } }, limit: 1 },
    });
    agree(
      users.some(({ id }) => id === probe.me),
      "the user is not found by its id",
    );
  }),
  readStep("search messages", (probe) =>
    probe.call("search", {
      query: { filter_conditions: { members: { $in: [probe.me] } }, query: "parley", limit: 1 },
    }),
  ),
  readStep("list threads", (probe) => probe.call("queryThreads", { body: { limit: PAGE } })),
  readStep("list drafts", (probe) => probe.call("queryDrafts", { body: { limit: PAGE } })),
  readStep("list reminders", (probe) => probe.call("queryReminders", { body: { limit: PAGE } })),
  readStep("list polls", (probe) => probe.call("queryPolls", { body: { limit: PAGE } })),
  readStep("list live locations", (probe) => probe.call("getLiveLocations")),
  readStep("list blocked people", (probe) => probe.call("getBlockedUsers", { query: {} })),
  readStep("list devices", (probe) => probe.call("listDevices", { query: {} })),
];

/** Steps in a channel of the check's own. */
const writing: readonly Step[] = [
  writeStep("make and watch a channel", async (probe) => {
    const channel = { type: "messaging", id: `parley-check-${probe.random}` };
    const members = [probe.me, ...(probe.other?.userId === undefined ? [] : [probe.other.userId])];
    const body = { data: { members }, state: true, watch: probe.isConnected };
    const made = await probe.made.making(
      `the channel ${makeCid(channel.type, channel.id)}`,
      () => removeChannel(probe, channel),
      () => probe.call("queryChannel", { path: channel, body }),
    );
    probe.channel = channel;
    agree(made.channel.cid === probe.cid, "the channel has another id than the one asked for");
  }),
  writeStep("send a message", async (probe) => {
    const id = `${probe.me}-${probe.random}`.slice(-60);
    await sends(probe, id, { text: textOf(probe) });
    probe.message = id;
  }),
  writeStep("hear of it", (probe) => probe.hears("message.new", isAbout(probe.message))),
  writeStep("read it back", async (probe) => {
    const { message } = await probe.call("getMessage", { path: { id: probe.message } });
    agree(message.text === textOf(probe), "its text is another");
  }),
  writeStep("edit it", async (probe) => {
    const text = `${textOf(probe)}, edited`;
    const { message } = await probe.call("updateMessagePartial", {
      path: { id: probe.message },
      body: { set: { text } },
    });
    agree(message.text === text, "the answer has not the new text");
    await probe.hears("message.updated");
  }),
  writeStep("react to it, and take that back", async (probe) => {
    const path = { id: probe.message };
    const { message } = await probe.call("sendReaction", { path, body: { reaction: { type: "like" } } });
    agree(message.reaction_counts?.like === 1, "the reaction is not counted");
    await probe.hears("reaction.new");
    await probe.call("deleteReaction", { path: { ...path, reaction_type: "like" } });
    await probe.hears("reaction.deleted");
  }),
  writeStep("reply in a thread", async (probe) => {
    const id = `${probe.random}-reply`;
    await sends(probe, id, { text: "a reply", parent_id: probe.message });
    const { messages } = await probe.call("getReplies", { path: { parent_id: probe.message } });
    agree(
      messages.some((reply) => reply.id === id),
      "the reply is not in its thread",
    );
  }),
  writeStep("upload a file, and read it back", async (probe) => {
    const { channel: path, signal } = probe;
    const composer = probe.user.composer({ cid: probe.cid }, { transient: true });
    const [upload] = await probe.pace.run(() => composer.attach([probe.file], { signal }), signal);
    const address = upload?.attachment.asset_url ?? "";
    agree(/^https?:\/\//.test(address), "the answer has no address of the file");
    probe.made.add("an uploaded file", () =>
      probe.user.call("deleteChannelFile", { path, query: { url: address } }),
    );
    const read = await fetch(address, { signal: probe.signal });
    agree(read.ok && (await read.text()) === FILE_TEXT, "the file cannot be read at its address");
  }),
  writeStep("make a poll and vote", async (probe) => {
    const id = `${probe.random}-poll`;
    const body = { id, name: "A test poll", options: [{ text: "yes" }, { text: "no" }] };
    const { poll } = await probe.made.making(
      "a poll",
      () => probe.user.call("deletePoll", { path: { poll_id: id } }),
      () => probe.call("createPoll", { body }),
    );
    agree(poll.id === id, "the poll has another id than the one asked for");
    await sends(probe, id, { text: "", poll_id: poll.id });
    const option_id = poll.options[0]?.id ?? "";
    await probe.call("castPollVote", {
      path: { message_id: id, poll_id: poll.id },
      body: { vote: { option_id } },
    });
    const after = await probe.call("getPoll", { path: { poll_id: poll.id } });
    agree(after.poll.vote_count === 1, "the vote is not counted");
    await probe.call("updatePollPartial", { path: { poll_id: poll.id }, body: { set: { is_closed: true } } });
  }),
  writeStep("share a location", (probe) =>
    sends(probe, `${probe.random}-place`, {
      text: "",
      shared_location: { latitude: 59.33, longitude: 18.07, created_by_device_id: "parley-check" },
    }),
  ),
  writeStep("save, read and delete a draft", async (probe) => {
    const path = probe.channel;
    const remove = (): Promise<unknown> => probe.user.call("deleteDraft", { path });
    const body = { message: { text: "a draft" } };
    await probe.made.making("a draft", remove, () => probe.call("saveDraft", { path, body }));
    const { draft } = await probe.call("getDraft", { path });
    agree(draft.message.text === "a draft", "the draft has another text");
    await probe.call("deleteDraft", { path });
    probe.made.undone(remove);
  }),
  writeStep("set and delete a reminder", async (probe) => {
    const path = { id: probe.message };
    const remind_at = new Date(probe.user.providerNow() + 3_600_000).toISOString();
    const remove = (): Promise<unknown> => probe.user.call("deleteReminder", { path });
    const make = (): Promise<unknown> => probe.call("createReminder", { path, body: { remind_at } });
    await probe.made.making("a reminder", remove, make);
    await probe.call("deleteReminder", { path });
    probe.made.undone(remove);
  }),
  writeStep("pin it, and unpin it", async (probe) => {
    const path = { id: probe.message };
    const pinned = await probe.call("updateMessagePartial", { path, body: { set: { pinned: true } } });
    agree(pinned.message.pinned === true, "the message is not pinned");
    await probe.call("updateMessagePartial", { path, body: { set: { pinned: false } } });
  }),
  writeStep("mark the channel read and unread", async (probe) => {
    const path = probe.channel;
    await probe.call("markRead", { path, body: {} });
    await probe.hears("message.read");
    await probe.call("markUnread", { path, body: { message_id: probe.message } });
  }),
  writeStep("say that one types", (probe) =>
    probe.call("sendEvent", { path: probe.channel, body: { event: { type: "typing.start" } } }),
  ),
  writeStep("mute the channel, and unmute it", async (probe) => {
    const body = { channel_cids: [probe.cid] };
    const unmute = (): Promise<unknown> => probe.user.call("unmuteChannel", { body });
    await probe.made.making("a muted channel", unmute, () => probe.call("muteChannel", { body }));
    await probe.call("unmuteChannel", { body });
    probe.made.undone(unmute);
  }),
  writeStep("hide the channel, and show it", async (probe) => {
    await probe.call("hideChannel", { path: probe.channel, body: {} });
    await probe.call("showChannel", { path: probe.channel, body: {} });
  }),
  writeStep("find the message by search", (probe) =>
    probe.soon(async () => {
      const { results } = await probe.call("search", {
        query: { filter_conditions: { cid: probe.cid }, query: `parley${probe.random}`, limit: 1 },
      });
      return results.some(({ message }) => message.id === probe.message);
    }, "the message is not found by a word of its text"),
  ),
  writeStep("missed events", async (probe) => {
    const last_sync_at = new Date(probe.user.providerNow() - 60_000).toISOString();
    const { events } = await probe.call("sync", { body: { channel_cids: [probe.cid], last_sync_at } });
    agree(
      events.some(({ type }) => type === "message.new"),
      "the sent message is not among them",
    );
  }),
  writeStep("a message by somebody else", async (probe) => {
    const { other } = probe;
    if (!other) throw new Skip("it needs the app's secret");
    const id = `${probe.random}-other`;
    const message = { id, text: "from somebody else" };
    await probe.call("sendMessage", { path: probe.channel, body: { message } }, other);
    await probe.hears("message.new", isAbout(id));
    const { channels } = await probe.call("getUnread", { query: {} });
    agree(
      channels.some(({ channel_id, unread_count }) => channel_id === probe.cid && unread_count > 0),
      "it is not counted as unread",
    );
  }),
  writeStep("delete a message", async (probe) => {
    const { message } = await probe.call("deleteMessage", { path: { id: probe.message } });
    agree(message.deleted_at !== undefined, "the answer has no time of its deletion");
    await probe.hears("message.deleted");
  }),
];

export const CHECK_STEPS: readonly Step[] = [...reading, ...writing];
