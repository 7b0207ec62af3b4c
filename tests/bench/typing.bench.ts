/** What one typed character costs at 120×40, and how soon the terminal shows it, idle and under 1,000 messages a second. */
import type { Pty } from "../support/pty.ts";
import { UNTIL_IDLE, median, percentile, sleep } from "./measure.ts";
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
    await sleep(UNTIL_IDLE);
    const idle = await stage.stats(screen);
    const typist = new Typist(screen);
    await typist.type(WARM);
    await typist.clear();

    // Blocks of characters between two readings of the counters. The cost of a reading is subtracted. Not measured: the first
    // character, which removes the placeholder of the empty box, and the clearing at the end.
    const cpu: number[] = [];
    const bytes: number[] = [];
    const writes: number[] = [];
    for (let block = 0; block < BLOCKS; block++) {
      await typist.type(1, 150);
      const zero = await stage.stats(screen);
      const before = await stage.stats(screen);
      await typist.type(10, 0);
      await screen.settle(60);
      const after = await stage.stats(screen);
      await typist.clear();
      cpu.push((after.cpu - before.cpu - (before.cpu - zero.cpu)) / 10 / 1000);
      bytes.push((after.units - before.units) / 10);
      writes.push((after.writes - before.writes) / 10);
    }
    await screen.settle(300);
    const quiet = await typist.type(KEYS);

    await stage.channel("bench-busy", [localUser(stage)]);
    const busyFor = 12;
    const flood = stage.control("flood", {
      cid: "messaging:bench-busy",
      user_id: localUser(stage),
      count: busyFor * 1000,
      rate: 1000,
    });
    await sleep(1000);
    await typist.clear();
    const busy = await typist.type(KEYS);
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
      { name: "resident memory, idle", unit: "MiB", measured: idle.rss / 2 ** 20, budget: 110 },
    ];
  } finally {
    await stage.end();
  }
}

export const localUser = (stage: Stage): string =>
  (JSON.parse(stage.parley("whoami", "--json")) as { user: string }).user;

/** Types into the composer and tracks the text it should contain. */
class Typist {
  readonly #screen: Pty;
  #text = "";
  constructor(screen: Pty) {
    this.#screen = screen;
  }

  /** Milliseconds from each key until the headless terminal shows it in the composer; looking elsewhere could match the same letter. */
  async type(keys: number, pause = 25): Promise<number[]> {
    const out: number[] = [];
    for (let n = 0; n < keys; n++) {
      const letter = String.fromCharCode(97 + (n % 26));
      this.#text += letter;
      const began = performance.now();
      this.#screen.type(letter);
      out.push((await this.#shown(began)) - began);
      await sleep(pause);
      if (this.#text.length >= 40) await this.clear();
    }
    return out;
  }

  /** Time of the write that completed the picture; polls without keeping a core busy. */
  async #shown(began: number): Promise<number> {
    const screen = this.#screen;
    const sought = `› ${this.#text} `;
    while (!screen.line(screen.rows - 2).includes(sought)) {
      if (performance.now() - began > 1000) throw new Error(`"${sought}" never came:\n${screen.text()}`);
      await sleep(1);
    }
    return screen.startedAt + screen.chunks.at(-1)!.at;
  }

  async clear(): Promise<void> {
    this.#screen.key("C-u");
    this.#text = "";
    await sleep(100);
  }
}
