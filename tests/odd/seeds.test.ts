/** The client behind a provider that writes something other than documented: what was not touched is shown and right, and what is lost is counted. */
import { expect, test } from "vitest";
import { at as timeAt, channel, isNew, msg, msgs, user } from "../core/state/world.ts";
import type { Core } from "../../src/core/core.ts";
import { jsonReply } from "../support/fake-ports.ts";
import { helloFrame } from "../support/fake-provider.ts";
import { dice, type Dice } from "../support/seeded.ts";
import { miraToken, virtualCore, type VirtualCore } from "../support/virtual-core.ts";
import { changeOne } from "./change.ts";
import { seedsOf, VALUE_CORPUS, tryAll } from "./corpus.ts";
import { cidOf, NAMES } from "./service.ts";
import { draw, shownIn } from "./shown.ts";

/** One of each thing that a message may have. */
const richOf = (id: string): object => {
  const reaction = { type: "like", user_id: "bob", user: user("bob"), message_id: id, score: 1, ...times };
  const group = { count: 1, sum_scores: 1, first_reaction_at: timeAt(1), last_reaction_at: timeAt(1) };
  return {
    attachments: [{ type: "image", image_url: "https://cdn.example.org/1.png", title: "a picture" }],
    mentioned_users: [user("mira")],
    reply_count: 1,
    thread_participants: [user("bob")],
    latest_reactions: [reaction],
    reaction_counts: { like: 1 },
    reaction_groups: { like: group },
    quoted_message: msg(900, { id: `quoted-${id}` }),
    poll: pollOf("p1"),
    poll_id: "p1",
    pinned: true,
    pinned_at: timeAt(5),
    pinned_by: user("bob"),
  };
};
const times = { created_at: timeAt(1), updated_at: timeAt(1) };
const pollOf = (id: string): object => ({
  id,
  name: "Which",
  options: [{ id: "a", text: "Green" }],
  created_by: user("bob"),
  ...times,
  vote_count: 1,
  vote_counts_by_option: { a: 1 },
  latest_votes_by_option: { a: [{ id: "v1", poll_id: id, option_id: "a", user: user("bob"), ...times }] },
  own_votes: [],
});
const memberOf = (id: string): object => ({
  user_id: id,
  user: user(id),
  channel_role: "channel_member",
  ...times,
});
const readOf = (id: string): object => ({ user: user(id), last_read: timeAt(2), unread_messages: 1 });

const listOf = () => ({
  channels: NAMES.map((name, n) => {
    const messages = msgs(10 * n + 1, 10 * n + 4).map((one) => ({ ...one, cid: cidOf(name) }));
    Object.assign(messages[0]!, richOf(messages[0]!.id));
    const people = ["mira", "bob"];
    const state = { members: people.map(memberOf), read: people.map(readOf), membership: memberOf("mira") };
    return channel(messages, { id: name, cid: cidOf(name), ...state } as never);
  }),
  duration: "1ms",
});

/** Changes of the client, the call that each makes, and its answer as documented. */
const WRITES: readonly [what: string, begin: (core: Core) => Promise<unknown>, answer: () => object][] = [
  [
    "POST /channels/messaging/milk/message",
    (core) => core.send({ cid: cidOf("milk") }, { id: "mine", text: "mine" }).outcome,
    () => ({ message: { ...msg(60, { cid: cidOf("milk") }), id: "mine", text: "mine", user: user("mira") } }),
  ],
  [
    "POST /channels/messaging/milk/message",
    (core) => core.send({ cid: cidOf("milk"), parentId: "m11" }, { id: "mine", text: "mine" }).outcome,
    () => ({ message: { ...msg(60, { cid: cidOf("milk") }), id: "mine", parent_id: "m11", type: "reply" } }),
  ],
  [
    "PUT /messages/m12",
    (core) => core.edit(msg(12, { cid: cidOf("milk") }), { text: "edited" }),
    () => ({ message: msg(12, { cid: cidOf("milk"), text: "edited" }) }),
  ],
  [
    "POST /messages/m12/reaction",
    (core) => core.react(msg(12, { cid: cidOf("milk") }), "like"),
    () => ({ message: { ...msg(12, { cid: cidOf("milk") }), ...richOf("m12") }, reaction: {} }),
  ],
  [
    "DELETE /messages/m12",
    (core) => core.remove(msg(12, { cid: cidOf("milk") })),
    () => ({ message: msg(12, { cid: cidOf("milk"), type: "deleted", deleted_at: timeAt(60) }) }),
  ],
  [
    "POST /channels/messaging/milk/read",
    (core) => core.markRead(cidOf("milk")),
    () => ({
      event: { type: "message.read", cid: cidOf("milk"), user: user("mira"), created_at: timeAt(60) },
    }),
  ],
  [
    "POST /polls",
    (core) => core.call("createPoll", { body: { id: "p2", name: "Which" } }),
    () => ({ poll: pollOf("p2") }),
  ],
  [
    "POST /channels/messaging/milk/draft",
    (core) =>
      core.call("saveDraft", { path: { type: "messaging", id: "milk" }, body: { message: { text: "x" } } }),
    () => ({
      draft: { channel_cid: cidOf("milk"), created_at: timeAt(60), message: { id: "d", text: "x" } },
    }),
  ],
];

/** Answered, a change is made: it is not sent again, and it is not called failed. */
async function write(at: VirtualCore, random: Dice, what: string): Promise<void> {
  const [call, begin, answerOf] = random.pick(WRITES);
  const answer = JSON.parse(JSON.stringify({ ...answerOf(), duration: "1ms" })) as Record<string, unknown>;
  const change = changeOne(answer, random);
  at.on[call] = () => jsonReply(answer, 201);
  const done = begin(at.core).then(
    (result) => (result as { state?: string } | undefined)?.state ?? "done",
    (error: Error) => error.message,
  );
  await at.clock.advance(120_000);
  const outcome = await Promise.race([done, Promise.resolve("pending")]);
  const told = [what, call, change, at.count(call)];
  expect([...told, outcome]).toEqual([what, call, change, 1, expect.stringMatching(/^(?:done|received)$/)]);
  draw(at.core);
}

async function run(seed: number): Promise<void> {
  const random = dice(seed);
  const answer = JSON.parse(JSON.stringify(listOf())) as ReturnType<typeof listOf>;
  const { path, how } = changeOne(answer, random);
  const what = `seed ${seed}: ${how} at ${path}`;
  const at = virtualCore(
    {},
    { unchecked: undefined as never },
    { "POST /channels": () => jsonReply(answer) },
  );
  const done = at.core.connectUser({ id: "mira" }, miraToken());
  await at.clock.settle();
  at.sockets.last.frame(helloFrame("mira"));
  await done;
  const asked = at.core.queryChannels({ filter_conditions: {} }).then(
    () => undefined,
    (error: Error) => error,
  );
  // An answer without its list is asked for once more, after a while.
  await at.clock.advance(10_000);
  const failed = await asked;
  // Only an answer that has nothing of what it is about may fail.
  if (failed) expect([what, failed.name, path]).toEqual([what, "TransportError", "channels"]);
  draw(at.core);
  if (!failed) judge(at, answer, path, how, what);
  await hear(at, random, what);
  if (shownIn(at.core)[cidOf("milk")]) await write(at, random.fork("write"), what);
}

/** An odd event costs itself at most. */
async function hear(at: VirtualCore, random: Dice, what: string): Promise<void> {
  const event = JSON.parse(JSON.stringify(isNew(msg(50, { cid: cidOf("tea") })))) as Record<string, unknown>;
  event.cid = cidOf("tea");
  const changed = changeOne(event, random);
  at.sockets.last.frame(event);
  await at.clock.advance(100);
  expect([what, changed, at.core.state().link.phase]).toEqual([what, changed, "open"]);
  draw(at.core);
}

/** What was not touched is shown and right, and what is lost is counted. */
function judge(
  at: VirtualCore,
  answer: ReturnType<typeof listOf>,
  path: string,
  how: string,
  what: string,
): void {
  const [, channelAt, , list, messageAt] = /^channels\.(\d+)(\.(\w+)(?:\.(\d+))?)?/.exec(path) ?? [];
  const shown = shownIn(at.core);
  const listed = (answer.channels as unknown[] | null)?.length ?? 0;
  let lost = 0;
  NAMES.forEach((name, n) => {
    const wanted = listOf().channels[n]!.messages.map(({ text }) => text);
    const isTouched = path === "channels" || String(n) === channelAt;
    const texts = shown[cidOf(name)] ?? [];
    if (!isTouched && listed >= 2) expect([what, name, texts]).toEqual([what, name, wanted]);
    else if (isTouched && list === "messages" && messageAt !== undefined) {
      const rest = wanted.filter((_, i) => i !== Number(messageAt));
      expect([what, name, texts]).toEqual([what, name, expect.arrayContaining(rest)]);
      lost += Number(how !== "absent" && texts.length < wanted.length);
    } else if (isTouched && shown[cidOf(name)] === undefined)
      lost += Number(!/^(?:absent|id in another case)$/.test(how));
  });
  if (lost > 0 && path !== "channels") expect(at.core.oddities(), what).not.toEqual([]);
}

const { seeds, words } = seedsOf(VALUE_CORPUS);

test(`${words}: one odd value costs one entity, and is counted`, async () => {
  await tryAll(seeds, run);
}, 3_600_000);
