/** Read marks of the current user: a failed one is retried, up to the seen message and no further (R-READ-3, D8). */
import { afterEach, expect, test } from "vitest";
import { SignInNeeded } from "../../../src/core/http/token.ts";
import { ReadMarks } from "../../../src/core/features/read-marks.ts";
import {
  silentLog,
  channel,
  CID,
  isNew,
  msg,
  msgs,
  subject,
  user,
  at,
  type Subject,
} from "../state/world.ts";
import { network, refusal } from "../outbox/provider.ts";

let reads: ReadMarks;
afterEach(() => reads.reset());

/** Ada's channel with three unread messages, and her recorded marks; each answer is an error or the time of the event. */
function markWorld(answers: (Error | string)[]): Subject & {
  marks: unknown[];
  markSeen(): Promise<void>;
  /** Receives the function that answers a pending mark. */
  answerLater?: (reject: (error: Error) => void) => void;
  /** Marks made meanwhile are answered after this. */
  hold?: Promise<void> | undefined;
} {
  const own = { user: user("ada"), last_read: at(0), unread_messages: 3 };
  const s = subject(channel(msgs(1, 3), { read: [own] }));
  const marks: unknown[] = [];
  const call = (name: string, args: { body: unknown }): Promise<unknown> => {
    if (name === "markUnread") {
      marks.push("unread");
      return Promise.reject(network());
    }
    expect(name).toBe("markRead");
    marks.push(args.body);
    const answer = answers.shift();
    if (answer === undefined)
      return new Promise((_resolve, reject) => {
        subjectWorld.answerLater?.(reject);
      });
    const settle = (): unknown => {
      if (answer instanceof Error) throw answer;
      return { event: { type: "message.read", cid: CID, created_at: answer } };
    };
    return (subjectWorld.hold ?? Promise.resolve()).then(settle);
  };
  reads = new ReadMarks({
    call: call as never,
    userId: () => "ada",
    machine: s.machine,
    clock: s.clock,
    log: silentLog,
  });
  const subjectWorld: ReturnType<typeof markWorld> = Object.assign(s, {
    marks,
    async markSeen() {
      reads.seen(CID);
      await s.clock.settle();
    },
  });
  return subjectWorld;
}
const cursor = (s: Subject): string => s.entry().read.get("ada")!.last_read;

test("D8: a mark that got no answer is sent again up to the message that was on screen, and later messages stay unread", async () => {
  const s = markWorld([network(), refusal(500, -1), refusal(429, 9), at(3)]);
  await s.markSeen();
  s.machine.dispatch([isNew(msg(4))]);
  await s.clock.advance(120_000);
  expect(s.marks).toEqual([{}, { message_id: "m3" }, { message_id: "m3" }, { message_id: "m3" }]);
  expect([cursor(s), s.entry().unread]).toEqual([at(3), 1]);
});

test("D8: a mark refused for its credentials is sent again after the next sign-in", async () => {
  const s = markWorld([refusal(401, 40), new SignInNeeded("sign in again"), refusal(401, 43), at(3)]);
  await s.markSeen();
  s.machine.apply({ kind: "stale" });
  const read = [{ user: user("ada"), last_read: at(0), unread_messages: 3 }];
  const states = [channel(msgs(1, 3), { read })];
  s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true });
  expect(cursor(s)).toBe(at(3));
  await s.clock.advance(120_000);
  expect(s.marks).toEqual([{}, { message_id: "m3" }, { message_id: "m3" }, { message_id: "m3" }]);
  expect([cursor(s), s.entry().unread]).toEqual([at(3), 0]);
});

test("a mark that was refused is not repeated, and the provider's read state counts again", async () => {
  const s = markWorld([refusal(403, 17)]);
  await s.markSeen();
  await s.clock.advance(120_000);
  expect(s.marks).toEqual([{}]);
  s.machine.apply({ kind: "stale" });
  s.machine.apply({
    kind: "channels",
    states: [channel(msgs(1, 3), { read: [{ user: user("ada"), last_read: at(0), unread_messages: 3 }] })],
    messageLimit: 25,
    watched: true,
  });
  expect([cursor(s), s.entry().unread]).toEqual([at(0), 3]);
});

test("D8: a mark that fails after its user has signed out is not sent for the next user", async () => {
  const s = markWorld([]);
  const pending = Promise.withResolvers<(error: Error) => void>();
  s.answerLater = pending.resolve;
  await s.markSeen();
  reads.reset();
  (await pending.promise)(network());
  await s.clock.advance(120_000);
  expect(s.marks).toEqual([{}]);
});

test("D8: a mark whose message is gone is sent for the message before it, or for the whole channel if all was seen", async () => {
  const s = markWorld([network(), refusal(400, 4), at(50)]);
  await s.markSeen();
  await s.clock.advance(120_000);
  expect(s.marks).toEqual([{}, { message_id: "m3" }, {}]);
  expect(cursor(s)).toBe(at(50));
  reads.reset();

  const later = markWorld([network(), refusal(400, 4), at(2)]);
  await later.markSeen();
  later.machine.dispatch([isNew(msg(4))]);
  await later.clock.advance(120_000);
  expect(later.marks).toEqual([{}, { message_id: "m3" }, { message_id: "m2" }]);
});

test("D8: marking unread cancels a pending read mark, and the provider's next answer counts", async () => {
  const s = markWorld([network(), at(50), at(60)]);
  await s.markSeen();
  await s.clock.advance(10);
  await reads.markUnread(CID, "m2").catch(() => undefined);
  await s.clock.advance(120_000);
  expect(s.marks).toEqual([{}, "unread"]);
  // The mark was accepted although its answer was lost: the provider's state counts.
  s.machine.apply({ kind: "stale" });
  s.machine.apply({
    kind: "channels",
    states: [channel(msgs(1, 3), { read: [{ user: user("ada"), last_read: at(1), unread_messages: 2 }] })],
    messageLimit: 25,
    watched: true,
    since: 1_000_000,
  });
  expect(s.entry().unread).toBe(2);
});

test("D8: marking unread is undone neither by looking again within a second nor by a late failure of the read mark", async () => {
  let failMark = (_error: Error): void => {};
  const s = markWorld([at(3)]);
  await s.markSeen();
  s.machine.dispatch([isNew(msg(4))]);
  await s.markSeen();
  await reads.markUnread(CID, "m2").catch(() => undefined);
  await s.clock.advance(120_000);
  expect(s.marks).toEqual([{}, "unread"]);
  reads.reset();

  const late = markWorld([]);
  late.answerLater = (reject) => (failMark = reject);
  await late.markSeen();
  await reads.markUnread(CID, "m2").catch(() => undefined);
  failMark(network());
  await late.clock.advance(120_000);
  expect(late.marks).toEqual([{}, "unread"]);
});

test("D9: when marking unread fails the unread count is requested, and that answer counts once", async () => {
  const s = markWorld([refusal(500, -1)]);
  await s.markSeen();
  expect(s.entry().unread).toBe(0);
  await reads.markUnread(CID, "m2").catch(() => undefined);
  expect(s.machine.takeRefetches()).toEqual([{ kind: "unread", cid: CID }]);
  const answerQuery = (): void =>
    s.machine.apply({
      kind: "channels",
      states: [channel(msgs(1, 3), { read: [{ user: user("ada"), last_read: at(0), unread_messages: 3 }] })],
      messageLimit: 25,
      watched: true,
      since: s.machine.revision(),
    });
  answerQuery();
  expect([cursor(s), s.entry().unread]).toEqual([at(0), 3]);
  // Only once: an answer after the next read does not undo it.
  await s.markSeen();
  answerQuery();
  expect(s.entry().unread).toBe(0);
});

test("D8, D9: a failed mark is sent at once after the recovery of the connection, and only once", async () => {
  const s = markWorld([network(), network(), network(), network(), at(3)]);
  await s.markSeen();
  // After the fourth try the pause would be 16 seconds.
  await s.clock.advance(2000 + 4000 + 8000 + 500);
  expect(s.marks).toHaveLength(4);
  const connectionEvent = (type: string, online = true): void =>
    reads.onEvent({ type, created_at: at(20), online });
  connectionEvent("connection.changed", false);
  connectionEvent("connection.changed");
  await s.clock.advance(100);
  // The missed messages are not loaded yet.
  expect(s.marks).toHaveLength(4);
  connectionEvent("connection.recovered");
  await s.clock.advance(100);
  expect(s.marks).toHaveLength(5);
  connectionEvent("connection.recovered");
  await s.clock.advance(120_000);
  expect(s.marks).toHaveLength(5);
});

test("D8: of two failed marks the later one is sent again, in whichever order they fail", async () => {
  const fails: ((error: Error) => void)[] = [];
  const s = markWorld([]);
  s.answerLater = (reject) => void fails.push(reject);
  await s.markSeen();
  await s.clock.advance(5000);
  s.machine.dispatch([isNew(msg(4))]);
  await s.markSeen();
  expect(s.marks).toEqual([{}, {}]);
  fails[1]!(network());
  await s.clock.settle();
  fails[0]!(network());
  await s.clock.advance(10_000);
  expect(s.marks[2]).toEqual({ message_id: "m4" });
});

test("D8: the success or refusal of an older mark does not end a newer one that failed", async () => {
  for (const settle of [at(3), refusal(403, 17)]) {
    const s = markWorld([network(), settle, network(), at(4)]);
    await s.markSeen();
    // The first mark is retried here, and ends before the second is made.
    let release = (): void => {};
    const second = new Promise<void>((done) => (release = done));
    s.hold = second;
    await s.clock.advance(4500);
    expect(s.marks).toEqual([{}, { message_id: "m3" }]);
    s.machine.dispatch([isNew(msg(4))]);
    s.hold = undefined;
    await s.markSeen();
    release();
    await s.clock.settle();
    s.machine.apply({ kind: "stale" });
    s.machine.apply({
      kind: "channels",
      states: [channel(msgs(1, 4), { read: [{ user: user("ada"), last_read: at(3), unread_messages: 1 }] })],
      messageLimit: 25,
      watched: true,
      since: s.machine.revision(),
    });
    expect(cursor(s)).toBe(at(4));
    await s.clock.advance(60_000);
    expect(s.marks).toContainEqual({ message_id: "m4" });
    reads.reset();
  }
});

test("R-READ-3: what was seen up to an older message is marked up to it, and neither that nor an earlier one is marked again", async () => {
  const s = markWorld([at(2), at(3)]);
  reads.seen(CID, "m2");
  // Seen as well before the answer is there.
  reads.seen(CID, "m1");
  await s.clock.advance(5000);
  expect(s.marks).toEqual([{ message_id: "m2" }]);
  expect([cursor(s), s.entry().unread]).toEqual([at(2), 1]);
  for (const id of ["m1", "m2", "of another channel"]) reads.seen(CID, id);
  await s.clock.advance(5000);
  expect(s.marks).toHaveLength(1);
  reads.seen(CID, "m3");
  await s.clock.advance(5000);
  expect(s.marks).toEqual([{ message_id: "m2" }, { message_id: "m3" }]);
  expect([cursor(s), s.entry().unread]).toEqual([at(3), 0]);
});

test("R-READ-3: scrolling on within a second sends one more mark, up to the last message that was seen", async () => {
  const s = markWorld([at(1), at(3)]);
  for (const id of ["m1", "m2", "m3"]) reads.seen(CID, id);
  await s.clock.advance(5000);
  expect(s.marks).toEqual([{ message_id: "m1" }, { message_id: "m3" }]);
  expect(s.entry().unread).toBe(0);
});

test("R-READ-3: what a mark up to an older message leaves unread is counted once it is accepted, also after an older page", async () => {
  const s = markWorld([]);
  reads.seen(CID, "m2");
  await s.clock.settle();
  const read = [{ user: user("ada"), last_read: at(0), unread_messages: 3 }];
  s.machine.apply({ kind: "stale" });
  s.machine.apply({
    kind: "channels",
    states: [channel(msgs(1, 3), { read })],
    messageLimit: 25,
    watched: true,
  });
  expect([cursor(s), s.entry().unread]).toEqual([at(0), 3]);
  s.machine.apply({ kind: "readAccepted", cid: CID, at: at(2) });
  expect([cursor(s), s.entry().unread]).toEqual([at(2), 1]);
});
