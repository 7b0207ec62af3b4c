/** How long commands and the screen take from spawn: ratios to an empty Node start of the same run. */
import { interleave, median, NODE, PARLEY, sleep, timeProcess } from "./measure.ts";
import type { Figure } from "./report.ts";
import { Stage } from "./stage.ts";

const RUNS = 15;

export async function run(): Promise<Figure[]> {
  const stage = new Stage().start();
  try {
    const options = { env: stage.env };
    const firstFrame = async (stay = 0): Promise<number> => {
      const began = performance.now();
      const screen = stage.screen();
      await screen.waitFor(isFullFrame);
      const took = performance.now() - began;
      await sleep(stay);
      await screen.close();
      return took;
    };
    // A start that was killed at its first frame has kept nothing: this one stays until its cache is on disk.
    await firstFrame(3000);
    const times = await interleave(RUNS, {
      empty: () => timeProcess(["-e", "0"], options),
      version: () => timeProcess([PARLEY, "--version"], options),
      help: () => timeProcess([PARLEY, "--help"], options),
      send: () => timeProcess([PARLEY, "send", "#general", "hello"], options),
      firstFrame: () => firstFrame(),
    });
    const empty = median(times.empty);
    const ratio = (name: keyof typeof times): number => median(times[name]) / empty;
    return [
      { name: "parley --version", unit: "× empty start", measured: ratio("version"), budget: 2 },
      { name: "parley --help", unit: "× empty start", measured: ratio("help"), budget: 3 },
      { name: "one send to a running provider", unit: "× empty start", measured: ratio("send"), budget: 7 },
      {
        name: "first full frame, warm cache",
        unit: "× empty start",
        measured: ratio("firstFrame"),
        budget: 7,
      },
    ];
  } finally {
    await stage.end();
  }
}

/** The frame is full when sidebar, messages and composer stand. */
export function isFullFrame(screen: { text(): string }): boolean {
  const text = screen.text();
  return text.includes("general") && text.includes("›") && /\d\d:\d\d/.test(text);
}

if (import.meta.main) console.log(NODE, await run());
