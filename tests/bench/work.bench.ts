/** How many of our files and functions run for one act on the screen at 120×40: counts, which do not depend on the machine. */
import { LOCATION_MESSAGE } from "../../src/provider/demo/seed.ts";
import type { Pty } from "../support/pty.ts";
import { sleep } from "./measure.ts";
import type { Figure } from "./report.ts";
import { Stage } from "./stage.ts";
import { isFullFrame } from "./start.bench.ts";
import { callsOf, filesOf, inspected, readableBuild, WorkCounter, type Work } from "./work.ts";

type Act = keyof typeof BUDGETS;

/** Files and functions of ours. */
const BUDGETS = {
  "typed letter": [45, 150],
  "first letter, with its typing notice": [140, 445],
  "quiet second": [0, 0],
  // With what reading by sight asks: which rows are in view, and since when. 738 are its own; on a busy machine a timer comes to it.
  "somebody's message, to its row": [168, 746],
} as const;

/** Each act counts as its least: a draft that is saved meanwhile, or a vote of the demo, is another act. */
const TIMES = 3;
/** So often on a machine so busy that another act is among each of these. */
const MOST_TIMES = 9;
/** Milliseconds in which what belongs to an act has ended. */
const AFTER_ACT = 600;

const leastOf = (works: readonly Work[]): Work => works.toSorted((a, b) => a.size - b.size)[0]!;

const isWithin = (work: Work, [files, functions]: readonly [number, number]): boolean =>
  filesOf(work) <= files && work.size <= functions;

/** What ran for each act, by function. */
export async function measureWork(): Promise<Record<Act, Work>> {
  const { program, remove } = await readableBuild();
  const stage = new Stage(program).start();
  const { port, flags } = await inspected();
  const screen = stage.screen(["chat", "#general"], { flags });
  try {
    await screen.waitFor(isFullFrame);
    // Nobody moves meanwhile.
    await stage.call("DELETE", `/messages/${LOCATION_MESSAGE}?hard=true`);
    await sleep(4000);
    const counter = await WorkCounter.attach(port);
    const during = async (act: () => Promise<unknown>): Promise<Work> => {
      await counter.take();
      await act();
      return counter.take();
    };
    const several = async (
      name: Act,
      act: (n: number) => Promise<unknown>,
      rest: () => Promise<unknown>,
    ): Promise<Work> => {
      const works: Work[] = [];
      const isOver = (): boolean => !isWithin(leastOf(works), BUDGETS[name]);
      for (let n = 0; n < TIMES || (n < MOST_TIMES && isOver()); n++) {
        works.push(await during(() => act(n)));
        await rest();
      }
      return leastOf(works);
    };
    const quiet = await several(
      "quiet second",
      () => sleep(1200),
      () => sleep(0),
    );
    const message = await several(
      "somebody's message, to its row",
      (n) => receive(stage, screen, n),
      () => sleep(1500),
    );
    const first = await several(
      "first letter, with its typing notice",
      () => type(screen, "").then(() => sleep(2000)),
      () => clear(screen),
    );
    await type(screen, "").then(() => sleep(1500));
    const letter = await several(
      "typed letter",
      (n) => type(screen, "x".repeat(n + 1)),
      () => sleep(300),
    );
    counter.close();
    return {
      "typed letter": letter,
      "first letter, with its typing notice": first,
      "quiet second": quiet,
      "somebody's message, to its row": message,
    };
  } finally {
    await screen.close();
    await stage.end();
    remove();
  }
}

/** One letter more behind `text`, until it is shown. */
async function type(screen: Pty, text: string): Promise<void> {
  screen.type("x");
  await screen.waitFor(`› ${text}x `);
  await screen.settle();
}

/** Empties the box, which ends the typing notice. */
async function clear(screen: Pty): Promise<void> {
  screen.key("C-u");
  await sleep(1500);
}

/** Somebody begins to type, and their message arrives. */
async function receive(stage: Stage, screen: Pty, n: number): Promise<void> {
  const user = { user_id: "guide" };
  await stage.call("POST", "/channels/messaging/general/event", { event: { type: "typing.start", ...user } });
  await screen.waitFor("typing");
  await stage.call("POST", "/channels/messaging/general/message", {
    message: { text: `Part ${n}`, ...user },
  });
  await screen.waitFor(`Part ${n}`);
  await sleep(AFTER_ACT);
}

/** The figures of what was measured; calls are told, and have no budget. */
export function figuresOf(works: Record<Act, Work>): Figure[] {
  return Object.entries(BUDGETS).flatMap(([act, [files, functions]]) => {
    const work = works[act as Act];
    return [
      { name: `${act}: our files`, unit: "files", measured: filesOf(work), budget: files },
      {
        name: `${act}: our functions (${callsOf(work)} calls)`,
        unit: "functions",
        measured: work.size,
        budget: functions,
      },
    ];
  });
}

export const run = async (): Promise<Figure[]> => figuresOf(await measureWork());
