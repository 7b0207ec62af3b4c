/** The scheduler of stored work: on time, in order, one step per turn of the event loop, and working on after errors and restarts. */
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { DueWork } from "../../../src/provider/base/ports.ts";
import { createClock } from "../../../src/provider/base/clock.ts";
import { Scheduler } from "../../../src/provider/lifecycle/scheduler.ts";
import { createProvider } from "../../../src/provider/provider.ts";
import { signToken } from "../../../src/wire/token.ts";
import { Harness, tiny } from "../tiny.ts";
import { openDatabase } from "../domain/support.ts";
import { PATIENCE } from "../../support/patience.ts";

const SECOND = 1000;

/** A scheduler for some kinds of work on a table of jobs; every step is recorded as `kind id@seconds since the start`. */
function stage(...kinds: string[]) {
  const db = openDatabase();
  db.raw.exec("CREATE TABLE job (kind TEXT, id TEXT, at INTEGER)");
  const clock = createClock();
  const start = clock.now();
  const ran: string[] = [];
  const faults: string[] = [];
  const failing = new Set<string>();
  const works = kinds.map((kind): DueWork => ({
    name: kind,
    next: () =>
      db.get<{ at: number | null }>("SELECT min(at) AS at FROM job WHERE kind = ?", kind)?.at ?? undefined,
    run(due) {
      const first = db.get<{ id: string }>("SELECT id FROM job WHERE kind = ? ORDER BY at", kind)!;
      if (failing.has(kind)) throw new Error(`${first.id} broke`);
      db.run("DELETE FROM job WHERE id = ?", first.id);
      ran.push(`${first.id}@${Math.round((due.now() - start) / 1e6)}`);
    },
  }));
  const scheduler = new Scheduler({
    works,
    db,
    clock,
    step(work) {
      work.run({ db, now: () => clock.now() } as Parameters<DueWork["run"]>[0]);
      // The provider does this after every commit.
      scheduler.wake();
    },
    reportError: (error) => faults.push((error as Error).message),
  });
  open.push(scheduler);
  return {
    clock,
    ran,
    faults,
    failing,
    scheduler,
    /** Adds a job of a kind that is due this many seconds after the start. */
    add(kind: string, id: string, seconds: number): void {
      db.run("INSERT INTO job VALUES (?, ?, ?)", kind, id, start + seconds * 1e6);
      scheduler.wake();
    },
  };
}
const open: Scheduler[] = [];
afterEach(() => {
  for (const scheduler of open.splice(0)) scheduler.stop();
  vi.useRealTimers();
});

test("nothing runs before it is due, and after a moved clock each step runs at its own time, the earliest first", async () => {
  const { add, scheduler, ran } = stage("tea", "coffee");
  add("tea", "t30", 30);
  add("tea", "t10", 10);
  add("coffee", "c20", 20);
  await nextTurn();
  scheduler.advance(9 * SECOND);
  expect(ran).toEqual([]);
  scheduler.advance(2 * SECOND);
  expect(ran).toEqual(["t10@10"]);
  scheduler.advance(60 * SECOND);
  expect(ran).toEqual(["t10@10", "c20@20", "t30@30"]);
});

test("a step that runs while the clock is moved may create further due work, which runs too", () => {
  const { add, scheduler, ran } = stage("tea");
  add("tea", "a", 5);
  scheduler.advance(6 * SECOND);
  add("tea", "b", 7);
  scheduler.advance(10 * SECOND);
  expect(ran).toEqual(["a@5", "b@7"]);
});

test("a timer runs the earliest work, also when earlier work is added later", async () => {
  vi.useFakeTimers();
  const { add, ran } = stage("tea");
  add("tea", "late", 60);
  await vi.advanceTimersByTimeAsync(1);
  add("tea", "early", 5);
  await vi.advanceTimersByTimeAsync(6 * SECOND);
  expect(ran).toEqual(["early@5"]);
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(ran).toEqual(["early@5", "late@60"]);
});

test("of work that is already due each turn of the event loop runs one step", async () => {
  const { add, ran } = stage("tea");
  for (let i = 0; i < 40; i++) add("tea", `t${i}`, -10);
  const steps: number[] = [];
  let before = 0;
  while (ran.length < 40) {
    await nextTurn();
    steps.push(ran.length - before);
    before = ran.length;
  }
  expect(Math.max(...steps)).toBe(1);
});

test("two kinds of due work take turns, so a long one does not delay the other", async () => {
  const { add, ran } = stage("long", "short");
  for (let i = 0; i < 10; i++) add("long", `l${i}`, -20);
  add("short", "s", -1);
  await vi.waitFor(() => expect(ran).toHaveLength(11), { interval: 1, timeout: PATIENCE });
  expect(ran.findIndex((line) => line.startsWith("s@"))).toBeLessThan(3);
});

test("a step that fails is retried after five seconds, and other work continues meanwhile", () => {
  const { add, scheduler, ran, faults, failing } = stage("bad", "good");
  failing.add("bad");
  add("bad", "b", 1);
  add("good", "g2", 2);
  add("good", "g4", 4);
  scheduler.advance(5 * SECOND);
  expect(faults).toEqual(["b broke"]);
  expect(ran).toEqual(["g2@2", "g4@4"]);
  failing.clear();
  scheduler.advance(2 * SECOND);
  expect(faults).toEqual(["b broke"]);
  expect(ran).toEqual(["g2@2", "g4@4", "b@6"]);
});

test("after a stop no step starts", async () => {
  const { add, scheduler, ran } = stage("tea");
  add("tea", "t", -1);
  scheduler.stop();
  await nextTurn();
  await nextTurn();
  scheduler.advance(60 * SECOND);
  expect(ran).toEqual([]);
});

test("work that became due before a restart runs soon after the start, and a failed step stores nothing", async () => {
  const noted: string[] = [];
  let broken = true;
  const work: DueWork = {
    name: "notes",
    next: (db) => db.get<{ at: number | null }>("SELECT min(at) AS at FROM jotting")?.at ?? undefined,
    run({ db }) {
      const note = db.get<{ id: string }>("SELECT id FROM jotting ORDER BY at")!;
      db.run("DELETE FROM jotting WHERE id = ?", note.id);
      if (broken) throw new Error("the step broke after its write");
      noted.push(note.id);
    },
  };
  const domain = {
    ...tiny,
    migrations: [...tiny.migrations, "CREATE TABLE jotting (id TEXT, at INTEGER)"],
    due: [work],
  };
  const faults: string[] = [];
  const first = await Harness.start({ warn: (sentence, stack) => faults.push(stack ?? sentence) }, domain);
  const data = `${first.folder}/data`;
  first.provider.transact((_emit, db) => {
    db.run("INSERT INTO jotting VALUES ('one', ?)", first.provider.clock.now() + 60e6);
    db.run("INSERT INTO jotting VALUES ('two', ?)", first.provider.clock.now() + 120e6);
  });
  first.provider.advance(61 * SECOND);
  expect(faults).toEqual([expect.stringContaining("the step broke after its write")]);
  await first.provider.close();
  broken = false;
  const again = await Harness.start({ data }, domain);
  try {
    await vi.waitFor(() => expect(noted).toEqual(["one"]), { interval: 1, timeout: PATIENCE });
    again.provider.advance(60 * SECOND);
    expect(noted).toEqual(["one", "two"]);
  } finally {
    await again.stop();
    await first.stop();
  }
});

test("moving the clock keeps connections open and tells them the new time at once (specification/wire.md §7)", async () => {
  const provider = createProvider({ data: ":memory:", stay: true });
  await provider.listen();
  const { url, apiKey, secret } = provider;
  const ws = new WebSocket(
    `${url.replace("http", "ws")}/connect?api_key=${apiKey}&stream-auth-type=jwt&authorization=${signToken({ user_id: "ada" }, secret)}&json=${encodeURIComponent('{"user_id":"ada"}')}`,
  );
  const frames: { type: string; created_at: string }[] = [];
  ws.on("message", (data) => frames.push(JSON.parse(String(data))));
  await once(ws, "message");
  provider.advance(3_600_000);
  await once(ws, "message");
  const [first, told] = frames;
  expect(told!.type).toBe("health.check");
  expect(Date.parse(told!.created_at) - Date.parse(first!.created_at)).toBeGreaterThanOrEqual(3_600_000);
  // The check for silent connections runs every 15 s; time that the clock was advanced by does not count as silence.
  provider.clock.advance(31_000);
  await nextTurn();
  const ended = await Promise.race([once(ws, "close"), once(ws, "message")]);
  expect(ended[0]).not.toBe(1001);
  expect(ws.readyState).toBe(WebSocket.OPEN);
  ws.terminate();
  await provider.close();
});

test("work farther away than the maximum of a timer (24.8 days) still runs, and is not looked up in a loop", () => {
  vi.useFakeTimers();
  try {
    const { add, ran } = stage("tea");
    let armed = 0;
    const plain = globalThis.setTimeout;
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((
      ...args: Parameters<typeof setTimeout>
    ) => {
      armed++;
      expect(Number(args[1])).toBeLessThan(2 ** 31);
      return plain(...args);
    }) as typeof setTimeout);
    add("tea", "far", 60 * 86_400);
    vi.advanceTimersByTime(59 * 86_400 * SECOND);
    expect(ran).toEqual([]);
    // Armed at first, and again each time the longest possible timer has run out.
    expect(armed).toBeLessThanOrEqual(4);
    vi.advanceTimersByTime(2 * 86_400 * SECOND);
    expect(ran).toEqual([`far@${60 * 86_400}`]);
    spy.mockRestore();
  } finally {
    vi.useRealTimers();
  }
});

test("moving the clock past a thousand due steps looks up each kind once per step, and waits for the disk at the end", async () => {
  const during: unknown[] = [];
  let asked = 0;
  const work: DueWork = {
    name: "many",
    next(db) {
      asked++;
      return db.get<{ at: number | null }>("SELECT min(at) AS at FROM moment")?.at ?? undefined;
    },
    run({ db }) {
      during.push(db.get("PRAGMA synchronous"));
      db.run("DELETE FROM moment WHERE at = (SELECT min(at) FROM moment)");
    },
  };
  const domain = {
    ...tiny,
    migrations: [...tiny.migrations, "CREATE TABLE moment (at INTEGER PRIMARY KEY) STRICT"],
    due: [work],
  };
  const harness = await Harness.start({}, domain);
  try {
    const { provider } = harness;
    const start = provider.clock.now();
    provider.transact((_emit, db) => {
      for (let n = 1; n <= 1000; n++) db.run("INSERT INTO moment VALUES (?)", start + n * 60e6);
    });
    await nextTurn();
    await nextTurn();
    asked = 0;
    provider.advance(30 * 86_400 * SECOND);
    expect(during).toHaveLength(1000);
    expect(during[0]).toEqual({ synchronous: 1 });
    expect(asked).toBeLessThan(1010);
    expect(provider.transact((_emit, db) => db.get("SELECT count(*) AS n FROM moment"))).toEqual({ n: 0 });
    let after: unknown;
    provider.transact((_emit, db) => (after = db.get("PRAGMA synchronous")));
    expect(after).toEqual({ synchronous: 2 });
  } finally {
    await harness.stop();
  }
});
