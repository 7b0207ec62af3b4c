/** What one typed character costs at 120×40, and how soon it stands on the terminal, quiet and under 1,000 messages a second. */
import type { Pty } from "../support/pty.ts";
import { median, percentile, sleep } from "./measure.ts";
import type { Figure } from "./report.ts";
import { isFullFrame } from "./start.bench.ts";
import { Stage } from "./stage.ts";

const WARM = 60;
const KEYS = 120;
const BLOCKS = 12;

export async function run(): Promise<Figure[]> {
  const stage = new Stage().start();
  try {
    const screen = stage.screen(["chat", "#general"]);
    await screen.waitFor(isFullFrame);
    await screen.settle(400);
    const idle = await stage.stats(screen);
    await latencies(screen, WARM);

    // Blocks of keys between two looks at the counters; the look itself is taken off.
    const cpu: number[] = [];
    const bytes: number[] = [];
    const writes: number[] = [];
    for (let block = 0; block < BLOCKS; block++) {
      await screen.settle(150);
      const zero = await stage.stats(screen);
      const before = await stage.stats(screen);
      await latencies(screen, 10, 0);
      await screen.settle(60);
      const after = await stage.stats(screen);
      cpu.push((after.cpu - before.cpu - (before.cpu - zero.cpu)) / 10 / 1000);
      bytes.push((after.units - before.units) / 10);
      writes.push((after.writes - before.writes) / 10);
    }
    await screen.settle(300);
    const quiet = await latencies(screen, KEYS);

    await stage.channel("bench-busy", [localUser(stage)]);
    const busyFor = 12;
    const flood = stage.control("flood", {
      cid: "messaging:bench-busy",
      user_id: localUser(stage),
      count: busyFor * 1000,
      rate: 1000,
    });
    await sleep(1000);
    const busy = await latencies(screen, KEYS);
    await flood;
    await screen.close();
    return [
      {
        name: "typed character: own CPU, median",
        unit: "ms",
        measured: median(cpu),
        budget: 5,
        scaled: true,
      },
      { name: "typed character: bytes, median", unit: "bytes", measured: median(bytes), budget: 400 },
      { name: "typed character: writes, median", unit: "writes", measured: median(writes), budget: 1 },
      {
        name: "key to terminal, quiet, p95",
        unit: "ms",
        measured: percentile(quiet, 0.95),
        budget: 15,
        scaled: true,
      },
      {
        name: "key to terminal, 1,000 messages/s, p95",
        unit: "ms",
        measured: percentile(busy, 0.95),
        budget: 30,
        scaled: true,
      },
      { name: "resident memory, idle", unit: "MiB", measured: idle.rss / 2 ** 20, budget: 120 },
    ];
  } finally {
    await stage.end();
  }
}

export const localUser = (stage: Stage): string =>
  (JSON.parse(stage.parley("whoami", "--json")) as { user: string }).user;

/** Milliseconds from each key to the write that shows it; letters differ so that an old one is not taken for a new one. */
async function latencies(screen: Pty, keys: number, pause = 25): Promise<number[]> {
  const out: number[] = [];
  for (let n = 0; n < keys; n++) {
    const letter = String.fromCharCode(97 + (n % 26));
    const before = screen.chunks.length;
    const began = performance.now();
    screen.type(letter);
    while (!screen.chunks.slice(before).some((chunk) => chunk.data.includes(letter))) {
      if (performance.now() - began > 1000) throw new Error(`"${letter}" never came:\n${screen.text()}`);
      await new Promise(setImmediate);
    }
    out.push(performance.now() - began);
    await sleep(pause);
    if (n % 40 === 39) {
      screen.key("C-u");
      await sleep(100);
    }
  }
  screen.key("C-u");
  await sleep(100);
  return out;
}
