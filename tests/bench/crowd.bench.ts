/** What thousands of members in one channel cost the client: they join and read, and state and cache must follow. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openStore } from "../../src/core/store/open-store.ts";
import type { AnyEvent } from "../../src/wire/events.ts";
import { channel, event, msgs, subject, user } from "../core/state/world.ts";
import { median } from "./measure.ts";
import type { Figure } from "./report.ts";

const PEOPLE = 5000;
/** Events that arrive in one turn of the event loop. */
const BATCH = 50;
const ROUNDS = 5;

const batches = (made: (n: number) => AnyEvent): AnyEvent[][] =>
  Array.from({ length: PEOPLE / BATCH }, (_, turn) =>
    Array.from({ length: BATCH }, (_each, n) => made(turn * BATCH + n)),
  );

const arrivals = batches((n) =>
  event("user.watching.start", 20 + n, { user: user(`u${n}`), watcher_count: n + 1 }),
);
const read = batches((n) => event("message.read", 20 + n, { user: user(`u${n}`) }));

/** Milliseconds until state and cache have taken all events, each batch written as it arrives. */
function took(turns: readonly AnyEvent[][], folder: string): number {
  const places = { state: path.join(folder, "state.db"), cache: path.join(folder, "cache.db") };
  const store = openStore({ ...places, userId: "ada" });
  const held = channel(msgs(1, 25));
  const { machine } = subject(held);
  store.cache.saveChannels([held]);
  // Any query of the cache first flushes its pending writes.
  store.cache.me();
  const began = performance.now();
  for (const turn of turns) {
    machine.dispatch(turn);
    store.cache.note(turn);
    store.cache.me();
  }
  const ms = performance.now() - began;
  store.close();
  return ms;
}

/** The median of several rounds, each in its own folder. */
function rounds(turns: readonly AnyEvent[][]): number {
  const all = Array.from({ length: ROUNDS }, () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parley-bench-crowd-"));
    try {
      return took(turns, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return median(all);
}

/** The budgets catch a cost that grows with the square of the member count; they tolerate a slow machine. */
export async function run(): Promise<Figure[]> {
  const unit = "ms";
  return [
    {
      name: "5,000 people come to one channel (informative)",
      unit,
      measured: rounds(arrivals),
      budget: 400,
      scaled: true,
    },
    {
      name: "5,000 people read in one channel (informative)",
      unit,
      measured: rounds(read),
      budget: 1000,
      scaled: true,
    },
  ];
}
