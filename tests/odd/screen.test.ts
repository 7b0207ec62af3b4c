/** The built screen behind a proxy of rules drawn from a seed: it shows something, in people's words, sends once what was typed, and ends when it is told to. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dice } from "../support/seeded.ts";
import { Home } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";
import { startAnswerProxy, type AnswerProxy, type Ways } from "./answer-proxy.ts";
import { SCREEN_CORPUS, seedsOf, tryAll } from "./corpus.ts";
import { drawRules } from "./proxy-rules.ts";

/** Words of the program's inside. */
const INNER =
  /\bundefined\b|\[object|NaN|TypeError|RangeError|Cannot read|is not a function|ERR_|\n +at \S+ \(/;
/** A channel, or what is known of why there is none. */
const SOMETHING = /tea|milk|cake|again|not loaded|not be loaded|cannot|refused|waiting|offline|connecting/i;

let home: Home;
let proxy: AnswerProxy | undefined;
let ways: Ways = {};

beforeAll(async () => {
  home = new Home();
  await home.up();
  for (const name of ["tea", "milk", "cake"]) {
    await home.channel(name, ["ana", "ben"]);
    for (const n of [1, 2, 3]) await home.say(`messaging:${name}`, "ben", { text: `${name} text ${n}` });
  }
  proxy = await startAnswerProxy(home, {
    write: (answer) => ways.write?.(answer),
    instead: (call) => ways.instead?.(call),
    after: (answer, call) => ways.after?.(answer, call) ?? answer,
    event: (event) => ways.event?.(event) ?? [event],
  });
});
afterAll(async () => {
  proxy?.close();
  await home.end();
});

const AGAIN = "again quits";
/** Resolves when the screen shows the text or the program has ended; false after a while without either. */
const comes = (screen: Pty, what: string | RegExp): Promise<boolean> =>
  Promise.race([screen.waitFor(what, 5000), screen.exited]).then(
    () => true,
    () => false,
  );

/** Ends it as a person would: Ctrl-C twice, the first of which may clear the box; what is unsent is left. */
async function quit(screen: Pty): Promise<number> {
  for (let n = 0; n < 3 && !screen.exit; n++) {
    screen.key("C-c");
    if (await comes(screen, AGAIN)) break;
  }
  screen.key("C-c");
  if (await comes(screen, "quit anyway?")) screen.type("y");
  return (await screen.end(60_000)).exitCode;
}

async function use(seed: number): Promise<void> {
  const rules = drawRules(dice(seed));
  ways = rules.ways;
  const typed = `typed ${seed}`;
  const screen = home.screen();
  try {
    await screen.waitFor(SOMETHING);
    await screen.settle(400, 15_000).catch(() => undefined);
    await home.say("messaging:tea", "ben", { text: `heard ${seed}` });
    screen.type(typed);
    await screen.settle(200, 5000).catch(() => undefined);
    screen.key("enter");
    await screen.settle(800, 8000).catch(() => undefined);
    const text = screen.text();
    const code = await quit(screen);
    const what = `seed ${seed}: ${rules.told()}\n${text}`;
    expect([what, INNER.exec(text)?.[0], SOMETHING.test(text)]).toEqual([what, undefined, true]);
    expect([what, code, INNER.exec(screen.text())?.[0]]).toEqual([what, 0, undefined]);
    const all = await Promise.all(["tea", "milk", "cake"].map((name) => home.messages(`messaging:${name}`)));
    const sent = all.flat().filter((message) => message.text === typed).length;
    expect([what, sent <= 1]).toEqual([what, true]);
  } finally {
    ways = {};
    await screen.close();
  }
}

const { seeds, words } = seedsOf(SCREEN_CORPUS, 200, 5);

test(`${words}: the screen shows something in people's words, sends once, and ends`, async () => {
  await tryAll(seeds, use);
}, 7_200_000);
