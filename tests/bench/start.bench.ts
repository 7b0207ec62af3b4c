/** How long commands and the screen take from spawn, as ratios to an empty Node start of the same run. */
import { interleave, median, NODE, PARLEY, sleep, timeProcess } from "./measure.ts";
import type { Figure } from "./report.ts";
import type { Pty } from "../support/pty.ts";
import { Stage } from "./stage.ts";

const RUNS = 15;

export async function run(): Promise<Figure[]> {
  const stage = new Stage().start();
  try {
    const options = { env: stage.env };
    const until = async (stands: (screen: Pty) => boolean): Promise<number> => {
      const began = performance.now();
      const screen = stage.screen();
      await screen.waitFor(stands);
      const took = performance.now() - began;
      await screen.close();
      return took;
    };
    await visit(stage);
    const times = await interleave(RUNS, {
      empty: () => timeProcess(["-e", "0"], options),
      version: () => timeProcess([PARLEY, "--version"], options),
      help: () => timeProcess([PARLEY, "--help"], options),
      send: () => timeProcess([PARLEY, "send", "#general", "hello"], options),
      firstPaint: () => until(isFullFrame),
      firstFrame: () => until((screen) => screen.raw.includes(END_OF_FRAME) && isFullFrame(screen)),
    });
    const empty = median(times.empty);
    const ratio = (name: keyof typeof times): number => median(times[name]) / empty;
    return [
      { name: "parley --version", unit: "× empty start", measured: ratio("version"), budget: 1.2 },
      { name: "parley --help", unit: "× empty start", measured: ratio("help"), budget: 2.5 },
      { name: "one send to a running provider", unit: "× empty start", measured: ratio("send"), budget: 5 },
      {
        name: "first paint, from the last visit",
        unit: "× empty start",
        measured: ratio("firstPaint"),
        budget: 1.3,
      },
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

/** Ends every frame of the program; the placeholder picture that the launcher shows earlier does not contain it. */
const END_OF_FRAME = "\x1b[?2026l";

/** A run killed at its first frame saves nothing: this one stays until its cache is on disk and quits normally. */
async function visit(stage: Stage): Promise<void> {
  const screen = stage.screen();
  await screen.waitFor(isFullFrame);
  await sleep(3000);
  for (let n = 0; n < 2; n++) {
    screen.key("C-c");
    await sleep(200);
  }
  await screen.end();
}

/** The frame is complete when sidebar, messages and composer are shown. */
export function isFullFrame(screen: { text(): string }): boolean {
  const text = screen.text();
  return text.includes("general") && text.includes("›") && /\d\d:\d\d/.test(text);
}

if (import.meta.main) console.log(NODE, await run());
