/** Late arrivals: answers requested before an event, repeated events, own messages far before the loaded ones (D6, D7, D9). */
import { describe, expect, test } from "vitest";
import type { OutboxRow } from "../../../src/core/base/outbox-row.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message, Reaction } from "../../../src/wire/entities/message.ts";
import { at, channel, CID, event, ids, isNew, msg, msgs, subject, user, type Subject } from "./world.ts";

const reaction = (type: string, by: string, seconds: number): Reaction => ({
  type,
  user_id: by,
  user: user(by),
  message_id: "m2",
  score: 1,
  created_at: at(seconds),
  updated_at: at(seconds),
});
const groups = (...types: string[]): Message["reaction_groups"] =>
  Object.fromEntries(
    types.map((type) => [
      type,
      { count: 1, sum_scores: 1, first_reaction_at: at(9), last_reaction_at: at(9) },
    ]),
  );
const reactionEvent = (type: string, by: string, seconds: number, ...all: string[]): AnyEvent =>
  event("reaction.new", seconds, {
    message: msg(2, { reaction_groups: groups(...all) }),
    reaction: reaction(type, by, seconds),
  });
const ownReactions = (s: Subject): string[] =>
  s
    .loaded("m2")!
    .own_reactions.map(({ type }) => type)
    .toSorted();

test("D9: a delete received by sync requests the totals, because the first frame may not include it", () => {
  const s = subject(
    channel(msgs(1, 3), { read: [{ user: user("ada"), last_read: at(0), unread_messages: 3 }] }),
  );
  s.machine.takeRefetches();
  s.machine.dispatch([event("message.deleted", 10, { message: msg(2), hard_delete: true })], true);
  expect(s.machine.takeRefetches()).toContainEqual({ kind: "totals", cid: "" });
});

test("D7: a message received again as a notification keeps its reactions", () => {
  const s = subject(channel([msg(1), msg(2, { reaction_groups: groups("wow") }), msg(3)]));
  s.machine.dispatch([{ ...isNew(msg(2)), type: "notification.message_new" }]);
  expect(Object.keys(s.loaded("m2")!.reaction_groups)).toEqual(["wow"]);
  s.machine.dispatch([reactionEvent("like", "bob", 9, "wow", "like"), isNew(msg(2))]);
  expect(Object.keys(s.loaded("m2")!.reaction_groups)).toEqual(["wow", "like"]);
});

test("D7: an answer requested before the event of an own reaction leaves that reaction as the event set it", () => {
  const s = subject(channel(msgs(1, 3)));
  const since = s.machine.revision();
  s.machine.dispatch([reactionEvent("wow", "ada", 9, "wow")]);
  const states = [channel(msgs(1, 3))];
  s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true, since });
  expect(ownReactions(s)).toEqual(["wow"]);
  s.machine.dispatch([
    event("reaction.deleted", 10, { message: msg(2), reaction: reaction("wow", "ada", 10) }),
  ]);
  const answer = msg(2, { reaction_groups: groups("wow"), own_reactions: [reaction("wow", "ada", 9)] });
  s.machine.apply({ kind: "message", message: answer, since });
  expect(ownReactions(s)).toEqual([]);
});

test("D7: own reactions without a newer event are taken from the answer", () => {
  const s = subject(channel([msg(1), msg(2, { reaction_groups: groups("like") }), msg(3)]));
  s.machine.dispatch([reactionEvent("like", "ada", 8, "like")]);
  const since = s.machine.revision();
  s.machine.dispatch([reactionEvent("love", "bob", 9, "love")]);
  s.machine.apply({ kind: "message", message: msg(2, { reaction_groups: groups("love") }), since });
  expect(ownReactions(s)).toEqual([]);
});

test("D7: a page of older messages requested before a reaction does not remove it", () => {
  const s = subject(channel(msgs(1, 3)));
  const since = s.machine.revision();
  s.machine.dispatch([reactionEvent("wow", "ada", 9, "wow")]);
  const pagination = { id_lt: "m3", limit: 25 };
  s.machine.apply({ kind: "page", cid: CID, messages: msgs(1, 2), pagination, since });
  expect(Object.keys(s.loaded("m2")!.reaction_groups)).toEqual(["wow"]);
  expect(ownReactions(s)).toEqual(["wow"]);
});

describe("D7: an event about a message that is not loaded", () => {
  const older = { pagination: { id_lt: "m3", limit: 25 }, messages: msgs(1, 2) };
  /** Only the newest of more messages is loaded. */
  const newest = (): Subject => subject(channel([msg(3)]), 1);
  const page = (s: Subject, since: number | undefined, more: object = {}): void =>
    s.machine.apply({ kind: "page", cid: CID, ...older, ...(since !== undefined && { since }), ...more });
  const reactionsOf = (s: Subject): string[] => Object.keys(s.loaded("m2")!.reaction_groups);

  test("counts for a page that was asked for before: what arrived meanwhile is applied to it, in order", () => {
    const s = newest();
    const since = s.machine.revision();
    s.machine.dispatch([
      reactionEvent("wow", "ada", 9, "wow"),
      reactionEvent("love", "bob", 10, "love", "wow"),
    ]);
    page(s, since);
    expect(reactionsOf(s).toSorted()).toEqual(["love", "wow"]);
    expect(ownReactions(s)).toEqual(["wow"]);
  });

  test("does not count for a page that was asked for after it, also a later one", () => {
    const s = newest();
    s.machine.dispatch([reactionEvent("wow", "ada", 9, "wow")]);
    page(s, s.machine.revision());
    expect(reactionsOf(s)).toEqual([]);
    const again = newest();
    const since = again.machine.revision();
    again.machine.dispatch([reactionEvent("wow", "ada", 9, "wow")]);
    page(again, undefined);
    page(again, since, { pagination: { id_around: "m2", limit: 25 } });
    expect(reactionsOf(again)).toEqual([]);
  });

  test("counts for the first page of a thread that was asked for before", () => {
    const s = subject(channel([msg(1), msg(3)]));
    const since = s.machine.revision();
    const reply = { parent_id: "m1" };
    s.machine.dispatch([
      event("reaction.new", 9, {
        message: msg(2, { ...reply, reaction_groups: groups("wow") }),
        reaction: reaction("wow", "ada", 9),
      }),
    ]);
    s.machine.apply({
      kind: "page",
      cid: CID,
      parentId: "m1",
      messages: [msg(2, reply)],
      pagination: { limit: 25 },
      since,
    });
    expect(reactionsOf(s)).toEqual(["wow"]);
  });

  test("a deletion and a vote count in the same way", () => {
    const s = newest();
    const poll = { id: "p", name: "Tea?", options: [{ id: "o", text: "yes" }], vote_count: 0 };
    const since = s.machine.revision();
    s.machine.dispatch([
      event("message.deleted", 9, { message: msg(1, { deleted_at: at(9), type: "deleted" }) }),
      event("poll.vote_casted", 10, {
        message: msg(2, { poll_id: "p" }),
        poll: { ...poll, vote_count: 1 },
        poll_vote: {
          id: "v",
          poll_id: "p",
          option_id: "o",
          user_id: "bob",
          created_at: at(10),
          updated_at: at(10),
        },
      }),
    ]);
    page(s, since, { messages: [msg(1), msg(2, { poll_id: "p", poll: poll as never })] });
    expect([s.loaded("m1")!.type, s.loaded("m2")!.poll!.vote_count]).toEqual(["deleted", 1]);
  });
});

describe("D7: an own reaction change whose answer arrives while the event of the previous change is late", () => {
  const queued = (action: OutboxRow["action"]): OutboxRow => ({ ...row, messageId: "m2", action });
  const wow = reaction("wow", "ada", 9);
  const settleAfterLateEvent = (action: OutboxRow["action"], late: AnyEvent, answer: object) => {
    const shown = action.kind === "unreact" ? { reaction_groups: groups("wow"), own_reactions: [wow] } : {};
    const s = subject(channel([msg(1), msg(2, shown), msg(3)]));
    const change = queued(action);
    s.machine.apply({ kind: "queued", row: change, user: user("ada"), fresh: true });
    const since = s.machine.revision();
    s.machine.dispatch([late]);
    s.machine.apply({ kind: "settled", row: change, since, ...answer });
    return s;
  };
  const wowCounts = (s: Subject): [string[], string[]] => [
    Object.keys(s.loaded("m2")!.reaction_groups),
    ownReactions(s),
  ];

  test("a removal stays as shown, and a later reaction of another device is added", () => {
    const answer = { message: msg(2), reaction: wow };
    const s = settleAfterLateEvent(
      { kind: "unreact", type: "wow" },
      reactionEvent("wow", "ada", 9, "wow"),
      answer,
    );
    expect(wowCounts(s)).toEqual([[], []]);
    s.machine.dispatch([event("reaction.deleted", 10, { message: msg(2), reaction: wow })]);
    expect(wowCounts(s)).toEqual([[], []]);
    s.machine.dispatch([reactionEvent("wow", "ada", 11, "wow")]);
    expect(wowCounts(s)).toEqual([["wow"], ["wow"]]);
  });

  test("a removal leaves what another device has added since", () => {
    const answer = { message: msg(2), reaction: wow };
    const s = settleAfterLateEvent(
      { kind: "unreact", type: "wow" },
      reactionEvent("wow", "ada", 12, "wow"),
      answer,
    );
    expect(wowCounts(s)).toEqual([["wow"], ["wow"]]);
  });

  const removal = event("reaction.deleted", 9, { message: msg(2), reaction: wow });
  const addition = (seconds: number): object => ({
    message: msg(2, { reaction_groups: groups("wow"), own_reactions: [reaction("wow", "ada", seconds)] }),
    reaction: reaction("wow", "ada", seconds),
  });

  test("an addition stays as shown and is counted once when its event arrives", () => {
    const s = settleAfterLateEvent({ kind: "react", type: "wow", unique: false }, removal, addition(10));
    expect(wowCounts(s)).toEqual([["wow"], ["wow"]]);
    s.machine.dispatch([reactionEvent("wow", "ada", 10, "wow")]);
    expect(s.loaded("m2")!.reaction_groups.wow).toMatchObject({ count: 1 });
  });

  test("an addition is removed if another device has removed it since", () => {
    const s = settleAfterLateEvent({ kind: "react", type: "wow", unique: false }, removal, addition(8));
    expect(wowCounts(s)).toEqual([[], []]);
  });

  test("an addition is not counted twice if somebody's later reaction event includes it", () => {
    const s = subject(channel(msgs(1, 3)));
    const change = queued({ kind: "react", type: "wow", unique: false });
    s.machine.apply({ kind: "queued", row: change, user: user("ada"), fresh: true });
    const since = s.machine.revision();
    s.machine.dispatch([removal, reactionEvent("like", "bob", 11, "wow", "like")]);
    s.machine.apply({ kind: "settled", row: change, since, ...addition(10) });
    expect(s.loaded("m2")!.reaction_groups.wow).toMatchObject({ count: 1 });
  });

  test("a removal is settled also by an answer whose reaction is empty", () => {
    const answer = { message: msg(2), reaction: {} };
    const s = settleAfterLateEvent(
      { kind: "unreact", type: "wow" },
      reactionEvent("wow", "ada", 9, "wow"),
      answer,
    );
    s.machine.dispatch([event("reaction.deleted", 10, { message: msg(2), reaction: wow })]);
    expect(wowCounts(s)).toEqual([[], []]);
  });
});

const row: OutboxRow = {
  seq: 1,
  messageId: "mine",
  cid: CID,
  action: { kind: "send", message: { id: "mine", text: "hi" }, options: {} },
  state: "sending",
  tries: 1,
  owner: "1:1",
  createdAt: Date.parse(at(60)),
};
const mine = (seconds: number): Message => msg(seconds, { id: "mine", user: user("ada") });

test.each(["its answer", "its event"])(
  "D6: an own message dated before the loaded messages, as %s says, is not inserted across the gap",
  (source) => {
    const s = subject(channel(msgs(40, 44)), 5);
    s.machine.apply({ kind: "queued", row, user: user("ada"), fresh: true });
    if (source === "its answer") s.machine.apply({ kind: "settled", row, message: mine(20) });
    else s.machine.dispatch([isNew(mine(20))]);
    const latest = s.sets().find((set) => set.isLatest)!;
    expect(ids(latest)).toEqual(msgs(40, 44).map(({ id }) => id));
    expect(latest.hasPrev).toBe(true);
  },
);

test("D7: an answer requested before a reply does not take back the reply count", () => {
  const s = subject(channel(msgs(1, 3)));
  const since = s.machine.revision();
  const counted = { reply_count: 1, deleted_reply_count: 1, thread_participants: [user("bob")] };
  s.machine.dispatch([event("message.updated", 9, { message: msg(2, counted) })]);
  const answer = { kind: "channels", messageLimit: 25, watched: true } as const;
  s.machine.apply({ ...answer, states: [channel(msgs(1, 3))], since });
  expect(s.loaded("m2")).toMatchObject(counted);
  s.machine.apply({ ...answer, states: [channel(msgs(1, 3))], since: s.machine.revision() });
  expect(s.loaded("m2")!.reply_count).toBe(0);
});

test("D6: an empty answer does not remove a message that arrived after its request", () => {
  const s = subject(channel([]));
  const since = s.machine.revision();
  s.machine.dispatch([isNew(msg(1))]);
  s.machine.apply({ kind: "channels", states: [channel([])], messageLimit: 25, watched: true, since });
  expect(s.shown()).toEqual(["m1"]);
  s.machine.apply({ kind: "stale" });
  s.machine.apply({ kind: "channels", states: [channel([])], messageLimit: 25, watched: true });
  expect(s.shown()).toEqual([]);
});

test("D7: a notification from before the watch does not insert a message that may be deleted; the channel is requested again", () => {
  const s = subject(channel(msgs(1, 3)));
  s.machine.takeRefetches();
  const notice = (message: Message): AnyEvent => ({ ...isNew(message), type: "notification.message_new" });
  s.machine.dispatch([notice(msg(2.5))]);
  expect(s.shown()).toEqual(["m1", "m2", "m3"]);
  expect(s.machine.takeRefetches()).toEqual([{ kind: "channel", cid: CID }]);
  // A reply in a thread that is not loaded is not shown.
  s.machine.apply({ kind: "channels", states: [channel(msgs(1, 3))], messageLimit: 25, watched: true });
  s.machine.dispatch([notice(msg(4, { parent_id: "m1" }))]);
  expect(s.machine.takeRefetches()).toEqual([]);
  // Without watching this is the only event of a message.
  s.machine.apply({ kind: "unwatched", cid: CID });
  s.machine.dispatch([notice(msg(5))]);
  expect(s.shown()).toEqual(["m1", "m2", "m3", "m5"]);
});

test("D7: an answer requested before an own vote was answered does not take the vote back", () => {
  const poll = (votes: string[]) =>
    ({
      id: "p",
      name: "Tea?",
      options: [{ id: "a", text: "Tea" }],
      vote_count: votes.length,
      own_votes: votes.map((id) => ({ id, poll_id: "p", option_id: "a" })),
    }) as never;
  const s = subject(channel([msg(1, { poll_id: "p", poll: poll([]) })]));
  const since = s.machine.revision();
  s.machine.apply({ kind: "poll", poll: poll(["v"]), since });
  const states = [channel([msg(1, { poll_id: "p", poll: poll([]) })])];
  s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true, since });
  expect(s.loaded("m1")!.poll!.own_votes).toHaveLength(1);
  s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true, since: s.machine.revision() });
  expect(s.loaded("m1")!.poll!.own_votes).toEqual([]);
});
