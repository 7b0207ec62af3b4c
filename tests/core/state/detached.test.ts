/** Messages that arrive alone hide no gap: answers outside the socket, echoes, events of a stale list (D6, D8, D9). */
import { expect, test } from "vitest";
import type { OutboxRow } from "../../../src/core/base/outbox-row.ts";
import type { Read } from "../../../src/wire/entities/channel.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { at, channel, CID, event, ids, isNew, msg, msgs, subject, user, type Subject } from "./world.ts";

const row: OutboxRow = {
  seq: 1,
  messageId: "mine",
  cid: CID,
  action: { kind: "send", message: { id: "mine", text: "hi" }, options: {} },
  state: "sending",
  tries: 1,
  owner: "1:1",
  createdAt: Date.parse(at(11)),
};
const mine = (seconds: number): Message => msg(seconds, { id: "mine", user: user("ada") });
const newest = (s: Subject, messages: Message[]): void =>
  s.machine.apply({ kind: "channels", states: [channel(messages)], messageLimit: 5, watched: true });
const latest = (s: Subject) => s.sets().find((set) => set.isLatest)!;
const older = (s: Subject): string[] => ids(s.sets().find((set) => !set.isLatest)!);

test("an unsent message does not join the loaded list with a page that contains its copy (R-SET-11)", () => {
  const s = subject(channel(msgs(1, 10)));
  s.machine.apply({ kind: "queued", row, user: user("ada"), fresh: true });
  newest(s, [...msgs(37, 40), mine(41)]);
  expect(ids(latest(s))).toEqual(["m37", "m38", "m39", "m40", "mine"]);
  expect(latest(s).hasPrev).toBe(true);
  expect(older(s)).toEqual(msgs(1, 10).map(({ id }) => id));
});

test("an acknowledged message does not join them either while the socket is silent", () => {
  const s = subject(channel(msgs(1, 10)));
  s.machine.apply({ kind: "queued", row, user: user("ada"), fresh: true });
  s.machine.apply({ kind: "settled", row, message: mine(41) });
  s.machine.apply({ kind: "stale" });
  newest(s, [...msgs(37, 40), mine(41)]);
  expect(ids(latest(s))).toEqual(["m37", "m38", "m39", "m40", "mine"]);
  expect(older(s)).toEqual(msgs(1, 10).map(({ id }) => id));
});

test("its event on an open connection joins them", () => {
  const s = subject(channel(msgs(1, 10)));
  s.machine.apply({ kind: "queued", row, user: user("ada"), fresh: true });
  s.machine.apply({ kind: "settled", row, message: mine(11) });
  s.machine.dispatch([isNew(mine(11))]);
  expect(s.entry().detached?.size ?? 0).toBe(0);
  newest(s, [mine(11), ...msgs(12, 15)]);
  expect(s.sets()).toHaveLength(1);
});

test("messages received before the list has caught up are shown and join nothing", () => {
  const s = subject(channel(msgs(1, 10)));
  s.machine.apply({ kind: "stale" });
  s.machine.dispatch([isNew(msg(41))]);
  expect(ids(latest(s)).at(-1)).toBe("m41");
  newest(s, msgs(37, 41));
  expect(ids(latest(s))).toEqual(msgs(37, 41).map(({ id }) => id));
  expect(latest(s).hasPrev).toBe(true);
  expect(older(s)).not.toContain("m41");
});

test("a single message requested while the list is behind joins nothing (D6)", () => {
  const s = subject(channel(msgs(1, 10)));
  s.machine.apply({ kind: "stale" });
  s.machine.dispatch([isNew(msg(41)), event("message.updated", 50, { message: msg(40) })]);
  expect(s.machine.takeRefetches()).toEqual([{ kind: "message", cid: CID, id: "m40" }]);
  s.machine.apply({ kind: "message", message: msg(40) });
  expect(ids(latest(s)).slice(-2)).toEqual(["m40", "m41"]);
  newest(s, msgs(37, 41));
  expect(ids(latest(s))).toEqual(msgs(37, 41).map(({ id }) => id));
  expect(latest(s).hasPrev).toBe(true);
});

test("an answer requested before the connection was lost leaves the channel stale, and it is requested again (D6)", () => {
  const s = subject(channel(msgs(1, 10)));
  const since = s.machine.revision();
  s.machine.apply({ kind: "stale" });
  const lateAnswer = (cid: string): void =>
    s.machine.apply({
      kind: "channels",
      states: [channel(msgs(1, 10), { cid })],
      messageLimit: 25,
      watched: true,
      since,
    });
  lateAnswer(CID);
  expect([s.entry().stale, s.machine.takeRefetches()]).toEqual([true, [{ kind: "channel", cid: CID }]]);
  // The channel was watched by a closed connection.
  s.machine.dispatch([isNew(msg(41))]);
  newest(s, msgs(37, 41));
  expect(ids(latest(s))).toEqual(msgs(37, 41).map(({ id }) => id));
  expect(s.entry().stale).toBe(false);

  lateAnswer("messaging:cellar");
  expect(s.entry("messaging:cellar").stale).toBe(true);
  expect(s.machine.takeRefetches()).toEqual([{ kind: "channel", cid: "messaging:cellar" }]);
});

test("several replies received before a thread has caught up join nothing (D6)", () => {
  const s = subject(channel(msgs(1, 3)));
  const reply = (seconds: number): Message => msg(seconds, { parent_id: "m1" });
  const page = (messages: Message[], limit: number): void =>
    s.machine.apply({ kind: "page", cid: CID, parentId: "m1", messages, pagination: { limit } });
  page([reply(4), reply(5)], 25);
  s.machine.apply({ kind: "stale" });
  s.machine.dispatch([isNew(reply(20))]);
  s.machine.dispatch([isNew(reply(21))]);
  page([reply(19), reply(20), reply(21)], 3);
  const newestReplies = s.sets("m1").find((set) => set.isLatest)!;
  expect(ids(newestReplies)).toEqual(["m19", "m20", "m21"]);
  expect(newestReplies.hasPrev).toBe(true);
});

test("replies requested before the connection was lost leave the thread stale (D6)", () => {
  const s = subject(channel(msgs(1, 3)));
  const replies = (seconds: number): Message => msg(seconds, { parent_id: "m1" });
  const page = (messages: Message[], since: number): void =>
    s.machine.apply({ kind: "page", cid: CID, parentId: "m1", messages, pagination: { limit: 25 }, since });
  page([replies(4)], s.machine.revision());
  const since = s.machine.revision();
  s.machine.apply({ kind: "stale" });
  page([replies(4)], since);
  expect(s.entry().threads.get("m1")!.stale).toBe(true);
  page([replies(4)], s.machine.revision());
  expect(s.entry().threads.get("m1")!.stale).toBeUndefined();
});

test("an unsent message dated by a slow clock does not widen the loaded range", () => {
  const s = subject(channel(msgs(20, 44)));
  const early = { ...row, createdAt: Date.parse(at(5)) };
  s.machine.apply({ kind: "queued", row: early, user: user("ada"), fresh: false });
  expect(ids(latest(s))[0]).toBe("mine");
  s.machine.dispatch([event("message.updated", 50, { message: msg(10) })]);
  expect(s.machine.takeRefetches()).toEqual([]);
  s.machine.dispatch([isNew(msg(10))]);
  expect(ids(latest(s))).not.toContain("m10");
});

test("an older newest page that arrives last does not become the latest", () => {
  const s = subject(channel(msgs(1, 5)));
  s.machine.apply({ kind: "stale" });
  newest(s, msgs(30, 34));
  newest(s, msgs(20, 24));
  expect(ids(latest(s))).toEqual(msgs(30, 34).map(({ id }) => id));
  expect(s.sets().filter((set) => set.hasNext && !set.isLatest)).toHaveLength(2);
});

test("D7: without a checkpoint messages older than the new page are dropped", () => {
  const s = subject(channel(msgs(1, 10)));
  s.machine.apply({ kind: "dropOlder", cid: CID, from: msg(6) });
  expect(ids(latest(s))).toEqual(msgs(6, 10).map(({ id }) => id));
  expect(latest(s).hasPrev).toBe(true);
});

const read = (seconds: number, unread: number): Read => ({
  user: user("ada"),
  last_read: at(seconds),
  unread_messages: unread,
});
const answerQuery = (s: Subject, messages: Message[], own: Read): void =>
  s.machine.apply({
    kind: "channels",
    states: [channel(messages, { read: [own] })],
    messageLimit: 25,
    watched: true,
  });

test("D8: a pending read mark is not undone by a recovery, and later messages are unread", () => {
  const s = subject(channel(msgs(1, 10), { read: [read(0, 10)] }));
  s.machine.apply({ kind: "seen", cid: CID });
  s.machine.apply({ kind: "stale" });
  answerQuery(s, msgs(1, 12), read(0, 12));
  expect(s.entry().read.get("ada")!.last_read).toBe(at(10));
  expect(s.entry().unread).toBe(2);
  s.machine.apply({ kind: "readAccepted", cid: CID, at: at(10) });
  s.machine.apply({ kind: "stale" });
  answerQuery(s, msgs(1, 12), read(5, 7));
  expect(s.entry().read.get("ada")!.last_read).toBe(at(5));
});

test("D8: an answer requested before the provider accepted a mark does not undo it when it arrives later", () => {
  const s = subject(channel(msgs(1, 10), { read: [read(0, 10)] }));
  s.machine.apply({ kind: "seen", cid: CID });
  s.machine.apply({ kind: "stale" });
  const since = s.machine.revision();
  s.machine.apply({ kind: "readAccepted", cid: CID, at: at(10) });
  const states = [channel(msgs(1, 12), { read: [read(0, 12)] })];
  s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true, since });
  expect(s.entry().read.get("ada")!.last_read).toBe(at(10));
  expect(s.entry().unread).toBe(2);
});

test("D8: an answer requested before the latest own read does not undo it, not even after a reconnect", () => {
  const s = subject(channel(msgs(1, 10), { read: [read(0, 10)] }));
  const requestedAt = s.machine.revision();
  s.machine.apply({ kind: "seen", cid: CID });
  s.machine.apply({ kind: "readAccepted", cid: CID, at: at(10) });
  s.machine.apply({ kind: "stale" });
  const oldAnswer = {
    kind: "channels",
    states: [channel(msgs(1, 12), { read: [read(0, 12)] })],
    messageLimit: 25,
    watched: true,
  } as const;
  s.machine.apply({ ...oldAnswer, states: [...oldAnswer.states], since: requestedAt });
  expect(s.entry().read.get("ada")!.last_read).toBe(at(10));
  expect(s.entry().unread).toBe(2);
});

test("D9: an unread count computed over a gap during a pending mark is requested again once the mark is accepted", () => {
  const s = subject(channel(msgs(1, 3), { read: [read(0, 3)] }));
  s.machine.apply({ kind: "seen", cid: CID });
  s.machine.apply({ kind: "stale" });
  newest(s, msgs(1, 3));
  s.machine.apply({ kind: "stale" });
  s.machine.apply({
    kind: "channels",
    states: [channel(msgs(16, 20), { read: [read(0, 20)] })],
    messageLimit: 5,
    watched: true,
  });
  expect(s.entry().unread).toBe(5);
  expect(s.machine.takeRefetches()).toEqual([]);
  s.machine.apply({ kind: "readAccepted", cid: CID, at: at(3) });
  expect(s.machine.takeRefetches()).toEqual([{ kind: "unread", cid: CID }]);
  answerQuery(s, msgs(1, 20), read(3, 17));
  expect(s.entry().unread).toBe(17);
});

test("D7: a page requested before a reaction does not remove it", () => {
  const s = subject(channel(msgs(1, 3)));
  const requestedAt = s.machine.revision();
  const reaction = { type: "wow", user_id: "bob", user: user("bob"), message_id: "m2", score: 1 };
  const groups = { wow: { count: 1, sum_scores: 1, first_reaction_at: at(9), last_reaction_at: at(9) } };
  s.machine.dispatch([event("reaction.new", 9, { message: msg(2, { reaction_groups: groups }), reaction })]);
  s.machine.apply({
    kind: "channels",
    states: [channel(msgs(1, 3))],
    messageLimit: 25,
    watched: true,
    since: requestedAt,
  });
  expect(s.loaded("m2")!.reaction_groups).toEqual(groups);
});

const deleted = (seconds: number, when: number): ReturnType<typeof event> =>
  event("message.deleted", when, { message: msg(seconds), hard_delete: true });

test("D9: an answer from before a delete does not count the deleted message again", () => {
  const s = subject(channel(msgs(1, 3), { read: [read(0, 3)] }));
  s.machine.dispatch([deleted(2, 20)]);
  expect(s.entry().unread).toBe(2);
  answerQuery(s, msgs(1, 3), read(0, 3));
  expect(s.entry().unread).toBe(2);
});

test("D9: a delete that the last answer already knew is not subtracted again", () => {
  const s = subject(channel(msgs(1, 3), { read: [read(0, 3)] }));
  answerQuery(s, [msg(1), msg(3)], read(0, 2));
  s.machine.dispatch([deleted(2, 20)]);
  expect(s.entry().unread).toBe(2);
});

test("D9: a soft delete first received by sync is subtracted once", () => {
  const s = subject(channel(msgs(1, 3), { read: [read(0, 3)] }));
  const soft = event("message.deleted", 20, {
    message: msg(2, { type: "deleted", deleted_at: at(20), updated_at: at(20) }),
  });
  s.machine.dispatch([soft], true);
  s.machine.dispatch([soft]);
  expect(s.entry().unread).toBe(2);
});

test("D9: the unread count after a mark up to an older message excludes deleted messages", () => {
  const s = subject(channel(msgs(1, 5), { read: [read(0, 5)] }));
  s.machine.dispatch([deleted(4, 20)]);
  s.machine.dispatch([event("notification.mark_read", 30, { user: user("ada"), last_read_at: at(2) })]);
  expect(s.entry().unread).toBe(2);
  s.machine.dispatch([deleted(5, 40)]);
  expect(s.entry().unread).toBe(1);
});

test("D9: an older answer that arrives last changes no count", () => {
  const s = subject(channel(msgs(1, 3), { read: [read(0, 3)] }));
  const requestedAt = s.machine.revision() - 1;
  answerQuery(s, msgs(1, 4), read(0, 4));
  s.machine.apply({
    kind: "channels",
    states: [channel(msgs(1, 3), { read: [read(0, 3)] })],
    messageLimit: 25,
    watched: true,
    since: requestedAt,
  });
  expect(s.entry().unread).toBe(4);
});

test("D9: a delete older than the counted page requests the channel's count and the totals again", () => {
  const s = subject(channel(msgs(8, 12), { read: [read(0, 12)] }), 5);
  s.machine.takeRefetches();
  s.machine.dispatch([deleted(9, 20)]);
  expect(s.machine.takeRefetches().map(({ kind }) => kind)).toEqual(["totals"]);
  s.machine.dispatch([deleted(2, 21)]);
  expect(s.machine.takeRefetches()).toEqual([{ kind: "unread", cid: CID }]);
  const requestedAt = s.machine.revision();
  s.machine.dispatch([deleted(3, 22)]);
  const answer = {
    kind: "channels",
    states: [channel([msg(8), ...msgs(10, 12)], { read: [read(0, 10)] })],
    messageLimit: 4,
    watched: true,
  } as const;
  s.machine.apply({ ...answer, states: [...answer.states], since: requestedAt });
  // The third delete came during the request: it may or may not be in the answer.
  expect(s.machine.takeRefetches()).toEqual([{ kind: "unread", cid: CID }]);
});

test("D9: a delete known to the snapshot is not subtracted again when sync repeats it", () => {
  const s = subject(channel(msgs(1, 3), { read: [read(0, 3)] }));
  s.machine.dispatch([event("message.deleted", 9, { message: msg(0.5), hard_delete: true })], true);
  expect(s.entry().unread).toBe(3);
  s.machine.dispatch([event("message.deleted", 10, { message: msg(2), hard_delete: true })]);
  expect(s.entry().unread).toBe(2);
});
