/** What one message costs in this process: wrapping text to rows, a cold restore of the cache, and the demo workspace. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openStore } from "../../src/core/store/open-store.ts";
import { createProvider } from "../../src/provider/provider.ts";
import { seedDemo } from "../../src/provider/demo/index.ts";
import { robotHost } from "../../src/provider/robots/provider-host.ts";
import { parseMarkup } from "../../src/text/markup.ts";
import { clean } from "../../src/text/sanitize.ts";
import { wrapText } from "../../src/text/wrap.ts";
import { messageRows } from "../../src/tui/render/message.ts";
import { makeTheme } from "../../src/tui/render/theme.ts";
import { channel, msgs, subject } from "../core/state/world.ts";
import { context, message } from "../tui/render/messages.ts";
import { median } from "./measure.ts";
import type { Figure } from "./report.ts";

const MESSAGES = 400;
const ROUNDS = 25;

const letters = (i: number): string => `${i} `.padEnd(80, "the *deploy* is at ten and nobody is late today ");

/** Median microseconds per item of `count` items in `rounds` rounds, after as many warm-up rounds. */
function each(count: number, rounds: number, run: () => void): number {
  for (let round = 0; round < rounds; round++) run();
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    run();
    took.push(performance.now() - began);
  }
  return (median(took) / count) * 1000;
}

export async function run(): Promise<Figure[]> {
  return [...perMessage(), restore(), await demo()];
}

/** Only the rows have a documented goal (25 µs on a quiet machine); the budgets catch regressions and tolerate a slow machine. */
function perMessage(): Figure[] {
  const texts = Array.from({ length: MESSAGES }, (_, i) => letters(i));
  const held = texts.map((text, i) => message({ id: `m${i}`, text }));
  const ctx = context({ theme: makeTheme(1), width: 96 });
  const unit = "µs";
  return [
    {
      name: "80 letters: cleaned, parsed and wrapped (informative)",
      unit,
      measured: each(MESSAGES, ROUNDS, () => {
        for (const text of texts) {
          const shown = clean(text);
          parseMarkup(shown);
          wrapText(shown, 96);
        }
      }),
      budget: 100,
      scaled: true,
    },
    {
      name: "80 letters: all the rows of the message, styled (informative)",
      unit,
      measured: each(MESSAGES, ROUNDS, () => {
        for (const one of held) messageRows(one, ctx);
      }),
      budget: 150,
      scaled: true,
    },
  ];
}

/** From opening the files to the restored state: 30 channels of 50 messages. */
function restore(): Figure {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-bench-cache-"));
  const open = (): ReturnType<typeof openStore> =>
    openStore({ state: path.join(folder, "state.db"), cache: path.join(folder, "cache.db"), userId: "ada" });
  try {
    const first = open();
    first.cache.saveChannels(
      Array.from({ length: 30 }, (_, c) => {
        const cid = `messaging:c${c}`;
        return channel(
          msgs(1, 50).map((m) => ({ ...m, id: `${cid}-${m.id}`, cid })),
          { cid },
        );
      }),
    );
    first.close();
    const took = Array.from({ length: 9 }, () => {
      const { machine } = subject(null);
      const began = performance.now();
      const store = open();
      machine.apply({ kind: "restored", states: store.cache.channels(50) });
      const ms = performance.now() - began;
      store.close();
      if (machine.state().channels.size !== 30) throw new Error("the cache was not restored");
      return ms;
    });
    return {
      name: "restore 30 channels of 50 messages from the cache (informative)",
      unit: "ms",
      measured: median(took),
      budget: 60,
      scaled: true,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function demo(): Promise<Figure> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-bench-demo-"));
  const provider = createProvider({ data: path.join(folder, "provider.db"), secret: "s".repeat(43) });
  try {
    const began = performance.now();
    seedDemo(robotHost(provider), { id: "kim", name: "Kim" });
    return { name: "the demo workspace", unit: "s", measured: (performance.now() - began) / 1000, budget: 2 };
  } finally {
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
