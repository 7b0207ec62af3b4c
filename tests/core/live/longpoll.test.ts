/** A long-poll session: the position it sends, and when a session may be resumed (specification/realtime.md §11, D6). */
import { expect, test } from "vitest";
import { createEventReader, type Hello } from "../../../src/core/live/attempts.ts";
import { LongPollAttempt, type PollPosition } from "../../../src/core/live/longpoll.ts";
import { ApiError, TransportError } from "../../../src/model/errors.ts";
import {
  CLOSE_WAIT,
  LONGPOLL_OPEN_TIMEOUT,
  LONGPOLL_READ_TIMEOUT,
  REQUEST_TIMEOUT,
  SUSPICION_DEADLINE,
} from "../../../src/wire/constants.ts";
import { fakeLog } from "../../support/fake-ports.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

type Query = Record<string, unknown>;

/** Polls get these answers in turn; after the last one they stay pending. */
function fakeSessions(...answers: (Query | "lost")[]) {
  const clock = new VirtualClock();
  const queries: Query[] = [];
  const hellos: Hello[] = [];
  const position: PollPosition = {};
  let sessions = 0;
  let ended = 0;
  const call = (name: string, { query = {} }: { query?: Query } = {}): Promise<unknown> => {
    if (name === "hi") return Promise.resolve({});
    queries.push(query);
    if (query.json !== undefined)
      return Promise.resolve({
        event: { type: "health.check", connection_id: `s${++sessions}`, me: { id: "mira" } },
        events: [],
      });
    const answer = answers.shift();
    if (answer === undefined) return new Promise(() => undefined);
    return answer === "lost"
      ? Promise.reject(new TransportError("ETIMEDOUT", "no answer in time"))
      : Promise.resolve(answer);
  };
  const begin = async (session?: string): Promise<void> => {
    void new LongPollAttempt(
      {
        call: call as never,
        clock,
        reader: createEventReader({ clock, log: fakeLog() }),
        position,
      },
      { payload: "{}", ...(session !== undefined && { session }) },
      {
        opened: (hello) => hellos.push(hello),
        events: () => undefined,
        alive: () => undefined,
        healthCheck: () => undefined,
        polled: () => undefined,
        ended: () => (ended += 1),
      },
    );
    await clock.advance(1000);
  };
  return { begin, asked: queries, hellos, ended: () => ended };
}

test("each poll names the last event received", async () => {
  const at = fakeSessions({ events: [{ type: "a" }], last: 1 }, { events: [{ type: "b" }], last: 2 });
  await at.begin();
  expect(at.asked.slice(1).map(({ after }) => after)).toEqual([0, 1, 2]);
});

test("a session with numbered events is resumed after a lost answer, from the last event", async () => {
  const at = fakeSessions({ events: [{ type: "a" }], last: 1 }, "lost");
  await at.begin();
  expect(at.ended()).toBe(1);
  await at.begin("s1");
  expect(at.hellos.at(-1)).toMatchObject({ connectionId: "s1", resumed: true });
  expect(at.asked.at(-1)).toEqual({ connection_id: "s1", after: 1 });
});

test("a session without event numbers is opened anew after a lost answer, because the lost poll may still take events", async () => {
  const at = fakeSessions({ events: [{ type: "a" }] }, "lost");
  await at.begin();
  await at.begin("s1");
  expect(at.hellos.at(-1)).toMatchObject({ connectionId: "s2", resumed: false });
});

/** An attempt whose calls are answered by hand; its callbacks are recorded. */
function session(start: { session?: string } = {}, position: PollPosition = {}) {
  const clock = new VirtualClock();
  const calls: {
    name: string;
    args: { query?: Query; timeout?: number; signal?: AbortSignal };
    resolve(reply: unknown): void;
    reject(error: unknown): void;
  }[] = [];
  const reported: unknown[] = [];
  const attempt = new LongPollAttempt(
    {
      call: ((name: string, args: Query) => {
        const { promise, resolve, reject } = Promise.withResolvers<unknown>();
        calls.push({ name, args, resolve, reject });
        return promise;
      }) as never,
      clock,
      reader: createEventReader({ clock, log: fakeLog() }),
      position,
    },
    { payload: "{}", ...start },
    {
      opened: ({ connectionId, resumed }) => reported.push(["opened", connectionId, resumed]),
      events: (events) => reported.push(events.map(({ type }) => type).join(" ")),
      alive: () => reported.push("alive"),
      healthCheck: (at) => reported.push(["health", at]),
      polled: () => reported.push("polled"),
      ended: (end) => reported.push(["ended", end]),
    },
  );
  const answer = async (reply: unknown): Promise<void> => {
    calls.at(-1)!.resolve(reply);
    await clock.settle();
  };
  const refuse = async (error: unknown): Promise<void> => {
    calls.at(-1)!.reject(error);
    await clock.settle();
  };
  const takeReported = (): unknown[] => reported.splice(0);
  const last = () => calls.at(-1)!;
  return { clock, calls, attempt, answer, refuse, lately: takeReported, last, taken: position };
}
const hello = {
  type: "health.check",
  connection_id: "s1",
  created_at: "2026-01-01T00:00:00Z",
  me: { id: "mira" },
};
const a = { type: "a" };
const b = { type: "b" };

test("the opening poll sends the handshake with its timeout, reports the hello and its events, and polls on from event 0", async () => {
  const s = session({}, { session: "old", last: 7 });
  expect(s.last()).toMatchObject({
    name: "longPoll",
    args: { query: { json: "{}" }, timeout: LONGPOLL_OPEN_TIMEOUT, signal: { aborted: false } },
  });
  await s.answer({ event: hello, events: [a, { ...hello, created_at: "2026-01-01T00:00:01Z" }, b] });
  expect(s.lately()).toEqual([
    ["health", "2026-01-01T00:00:00Z"],
    ["opened", "s1", false],
    "alive",
    ["health", "2026-01-01T00:00:01Z"],
    "a b",
  ]);
  expect(s.taken).toEqual({ session: "s1" });
  expect(s.last()).toMatchObject({
    name: "longPoll",
    args: {
      query: { connection_id: "s1", after: 0 },
      timeout: LONGPOLL_READ_TIMEOUT,
      signal: { aborted: false },
    },
  });
  s.attempt.drop();
});

test("an opening answer without a hello ends the attempt, and nothing is reported or requested after it", async () => {
  const s = session();
  await s.answer({ events: [a] });
  expect(s.lately()).toEqual([
    ["ended", { kind: "network", message: "the long poll was opened without a connection" }],
  ]);
  expect([s.calls.length, s.last().args.signal!.aborted]).toEqual([1, true]);
});

test.each<[string, unknown, object]>([
  [
    "a refusal is reported with its request",
    new ApiError("no", { status: 401, code: 40 }),
    { kind: "error", at: "open" },
  ],
  [
    "a timeout is reported as one",
    new TransportError("ETIMEDOUT", "late"),
    { kind: "timeout", message: "late" },
  ],
  [
    "another failure is reported as a network failure",
    new TransportError("ERR_NETWORK", "gone"),
    { kind: "network", message: "gone" },
  ],
  ["a program error is reported with its message", new Error("oops"), { kind: "network", message: "oops" }],
  ["a thrown value that is no error is reported", "x", { kind: "network", message: "the long poll failed" }],
])("%s, once, and its requests are aborted", async (_, error, end) => {
  const s = session();
  await s.refuse(error);
  expect(s.lately()).toMatchObject([["ended", { ...end, ...(error instanceof ApiError && { error }) }]]);
  expect(s.last().args.signal!.aborted).toBe(true);
  if (error instanceof ApiError) {
    const polling = session();
    await polling.answer({ event: hello });
    polling.lately();
    await polling.refuse(error);
    expect(polling.lately()).toEqual([["ended", { kind: "error", at: "poll", error }]]);
  }
});

test("a session with event numbers is resumed after GET /hi, one without is opened anew", async () => {
  const s = session({ session: "s1" }, { session: "s1", last: 4 });
  expect(s.last()).toMatchObject({
    name: "hi",
    args: { timeout: REQUEST_TIMEOUT, signal: { aborted: false } },
  });
  expect(s.calls).toHaveLength(1);
  await s.answer({});
  expect(s.lately()).toEqual([["opened", "s1", true]]);
  expect(s.last().args.query).toEqual({ connection_id: "s1", after: 4 });
  for (const position of [{ session: "s2", last: 4 }, { session: "s1" }])
    expect(session({ session: "s1" }, position).last().args.query).toEqual({ json: "{}" });
});

test("an answer delivers events not delivered before; the next poll waits 20 ms after events, 250 ms after none", async () => {
  const s = session({ session: "s1" }, { session: "s1", last: 4 });
  await s.answer({});
  s.lately();
  const polled = async (reply: unknown): Promise<unknown[]> => {
    const before = s.calls.length;
    await s.answer(reply);
    const reported = s.lately();
    const pause = s.clock.timers[0]!;
    await s.clock.advance(pause - 1);
    expect(s.calls).toHaveLength(before);
    await s.clock.advance(1);
    expect(s.calls).toHaveLength(before + 1);
    return [...reported, pause, s.last().args.query!.after];
  };
  expect(await polled({ events: [a, b], last: 6 })).toEqual(["polled", "alive", "a b", 20, 6]);
  // Repeated events: one of three is new, then none.
  expect(await polled({ events: [a, b, { type: "c" }], last: 7 })).toEqual(["polled", "alive", "c", 20, 7]);
  expect(await polled({ events: [b], last: 7 })).toEqual(["polled", "alive", 250, 7]);
  // Events after a gap are delivered too, a lower number restarts the numbering, and answers without numbers are taken whole.
  expect(await polled({ events: [a, b], last: 10 })).toEqual(["polled", "alive", "a b", 20, 10]);
  expect(await polled({ events: [a], last: 2 })).toEqual(["polled", "alive", "a", 20, 2]);
  expect(await polled({ events: [b], last: "x" })).toEqual(["polled", "alive", "b", 20, 0]);
  expect(await polled({ events: "nonsense", last: 3 })).toEqual(["polled", "alive", 250, 3]);
  expect(await polled({ last: 3 })).toEqual(["polled", "alive", 250, 3]);
  s.attempt.drop();
  expect(s.clock.timers).toEqual([]);
});

test("a poll pending for 250 ms or longer is followed at once", async () => {
  const s = session({ session: "s1" }, { session: "s1", last: 0 });
  await s.answer({});
  await s.clock.advance(250);
  await s.answer({ events: [], last: 0 });
  expect([s.calls.length, s.clock.timers]).toEqual([3, []]);
});

test("a token renewal before the session is open sends nothing", () => {
  const s = session();
  s.attempt.renew!();
  expect(s.calls).toHaveLength(1);
});

/** A renewal during a pending poll: the calls of the older and of the newer poll. */
async function renewed() {
  const s = session({ session: "s1" }, { session: "s1", last: 0 });
  await s.answer({});
  s.attempt.renew!();
  expect(s.calls).toHaveLength(3);
  s.lately();
  const takeEvents = () => s.lately().filter((each) => each === "a" || each === "b" || each === "a b");
  return { ...s, older: s.calls[1]!, heard: takeEvents };
}

test("after a renewal the newer poll's answer counts at once, and a late answer of the older one repeats nothing", async () => {
  const s = await renewed();
  await s.answer({ events: [a, b], last: 2 });
  expect(s.heard()).toEqual(["a b"]);
  s.older.resolve({ events: [a], last: 1 });
  await s.clock.advance(300);
  expect(s.heard()).toEqual([]);
  // Only the newer loop continues, from the last received position.
  expect(s.calls.slice(3).map(({ args }) => args.query!.after)).toEqual([2]);
});

test("an older poll answered empty with the newest number hides no event of the newer answer", async () => {
  const s = await renewed();
  await s.answer({ events: [a], last: 1 });
  s.older.resolve({ events: [], last: 1 });
  await s.clock.advance(300);
  expect(s.heard()).toEqual(["a"]);
});

test("without event numbers the older poll's answer is delivered first, and a third poll makes the provider send it", async () => {
  const s = await renewed();
  await s.answer({ events: [b] });
  expect(s.heard()).toEqual([]);
  // It was answered first because it came first: the provider holds the other one until there is a third.
  expect(s.calls).toHaveLength(4);
  s.older.resolve({ events: [a] });
  await s.clock.advance(300);
  expect(s.heard()).toEqual(["a", "b"]);
  expect(s.calls).toHaveLength(4);
});

test("an answered ping is a sign of life during the attempt; a failed or late one is ignored", async () => {
  const s = session();
  await s.answer({ event: hello });
  s.lately();
  s.attempt.ping();
  expect(s.last()).toMatchObject({
    name: "hi",
    args: { timeout: SUSPICION_DEADLINE, signal: { aborted: false } },
  });
  await s.answer({});
  expect(s.lately()).toEqual(["alive"]);
  s.attempt.ping();
  await s.refuse(new Error("late"));
  s.attempt.ping();
  s.attempt.drop();
  await s.answer({});
  expect(s.lately()).toEqual([]);
  s.attempt.renew!();
  expect(s.calls).toHaveLength(5);
});

test("closing aborts the poll, ends an opened session at the provider and reports nothing afterwards", async () => {
  const s = session();
  await s.answer({ event: hello });
  s.lately();
  const poll = s.last();
  let closed = false;
  void s.attempt.close().then(() => (closed = true));
  expect(poll.args.signal!.aborted).toBe(true);
  expect(s.last().args).toEqual({ query: { connection_id: "s1", close: true }, timeout: CLOSE_WAIT });
  poll.resolve({ events: [a], last: 1 });
  await s.clock.settle();
  expect(closed).toBe(false);
  await s.refuse(new Error("gone"));
  expect([closed, s.lately()]).toEqual([true, []]);
  for (const end of ["close", "drop"] as const) {
    const early = session();
    void early.attempt[end]();
    expect(early.last().args.signal!.aborted).toBe(true);
    await early.answer({ event: hello });
    await early.refuse(new Error("late"));
    expect([early.calls.length, early.lately()]).toEqual([1, []]);
  }
});

test("a token renewal during a resume waits for the answer of GET /hi", async () => {
  const s = session({ session: "s1" }, { session: "s1", last: 3 });
  s.attempt.renew!();
  await s.clock.settle();
  expect(s.calls.map(({ name }) => name)).toEqual(["hi"]);
  await s.answer({});
  expect(s.lately()).toEqual([["opened", "s1", true]]);
  expect(s.calls.map(({ name }) => name)).toEqual(["hi", "longPoll"]);
});
