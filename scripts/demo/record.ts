/** Records docs/demo/demo.cast from the built program, and draws docs/demo/demo.svg from it. Run: npm run build && node scripts/demo/record.ts */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { NODE, PARLEY, sleep } from "../../tests/bench/measure.ts";
import { Stage } from "../../tests/bench/stage.ts";
import type { Pty } from "../../tests/support/pty.ts";
import { TYPING_PAUSE_MS } from "../../src/tui/input/pace.ts";
import { animatedPicture } from "./animate.ts";
import { withoutPauses, writeCast, type CastEvent } from "./cast.ts";

const folder = path.resolve(import.meta.dirname, "../../docs/demo");
const SIZE = { cols: 120, rows: 30 };
/** Seconds; longer pauses are cut. */
const LONGEST_PAUSE = 1.6;
/** Milliseconds between two letters. */
const LETTER = 35;
/** Milliseconds between two keys: a letter that follows another sooner is text. */
const BETWEEN_KEYS = 1.5 * TYPING_PAUSE_MS;
/** Milliseconds that a reader needs for what has appeared. */
const LOOK = 1200;

const stage = new Stage();

const captions: CastEvent[] = [];

/** Names what follows. */
const caption = (screen: Pty, text: string): number =>
  captions.push([(performance.now() - screen.startedAt) / 1000, "m", text]);

/** A command about the provider, during which the screen goes on. */
const local = (...args: string[]): Promise<unknown> =>
  promisify(execFile)(NODE, [PARLEY, "local", ...args], { env: stage.env });

async function write(screen: Pty, text: string): Promise<void> {
  for (const letter of text) {
    screen.type(letter);
    await sleep(LETTER);
  }
}

/** Keys as one presses them who knows where to go. */
async function press(screen: Pty, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    screen.key(key);
    await sleep(BETWEEN_KEYS);
  }
}

async function goTo(screen: Pty, name: string): Promise<void> {
  await press(screen, "C-k");
  await write(screen, name);
  await press(screen, "enter");
  await screen.waitFor(`message #${name}`);
  await sleep(600);
}

async function conversation(screen: Pty): Promise<void> {
  caption(screen, "a conversation");
  const typing = { type: "typing.start", user_id: "ana" };
  await write(screen, "Is the map ready?");
  await press(screen, "enter");
  await stage.call("POST", "/channels/messaging/general/event", { event: typing });
  await screen.waitFor("Ana Ribeiro is typing");
  await sleep(700);
  const message = { text: "Yes, **it moves**. Look in #field-trip 🗺️", user_id: "ana" };
  await stage.call("POST", "/channels/messaging/general/message", { message });
  await screen.waitFor("it moves");
  await sleep(LOOK);
}

async function thread(screen: Pty): Promise<void> {
  caption(screen, "a thread beside it");
  await press(screen, "esc");
  for (let n = 0; n < 20 && !/│▌.*deploy at ten/.test(screen.text()); n++) await press(screen, "k");
  await press(screen, "t");
  await screen.waitFor("ten it is");
  await write(screen, "Ten is fine.");
  await press(screen, "enter");
  await sleep(LOOK);
  await press(screen, "esc", "esc");
}

async function poll(screen: Pty): Promise<void> {
  caption(screen, "a poll");
  await goTo(screen, "lunch");
  await press(screen, "esc");
  screen.key("1");
  await sleep(300);
  screen.key("1");
  await sleep(LOOK);
}

async function map(screen: Pty): Promise<void> {
  caption(screen, "a live location on a map");
  await goTo(screen, "field-trip");
  await press(screen, "esc", "v");
  await sleep(3 * LOOK);
  await press(screen, "esc", "esc");
}

async function outage(screen: Pty): Promise<void> {
  caption(screen, "the provider goes away …");
  await local("fault", "add", "* /*", "--status", "503");
  await local("fault", "add", "--drop-ws");
  await screen.waitFor((pty) => !pty.text().includes("● online"));
  await write(screen, "Sent while nobody listens.");
  await press(screen, "enter");
  await sleep(LOOK);
  caption(screen, "… and what was written arrives, once");
  await local("fault", "clear");
  await screen.waitFor("● online");
  await screen.waitFor("Sent while nobody listens. ✓");
  await sleep(LOOK);
}

async function search(screen: Pty): Promise<void> {
  caption(screen, "search");
  await press(screen, "C-f");
  await write(screen, "deploy");
  await screen.waitFor(/\d+ messages?/);
  await sleep(2 * LOOK);
}

/** What the screen wrote from its first whole frame on, with the captions. */
function recorded(screen: Pty, from: number): CastEvent[] {
  const output = screen.chunks.map(({ at, data }): CastEvent => [at / 1000, "o", data]);
  const all = [...output, ...captions].toSorted((a, b) => a[0] - b[0]);
  const relative = all.map(([at, kind, text]): CastEvent => [Math.max(0, at - from), kind, text]);
  return withoutPauses(relative, LONGEST_PAUSE);
}

try {
  stage.start();
  stage.parley("user", "set", "name=you");
  const screen = stage.screen(["chat", "#general"], SIZE);
  await screen.waitFor("● online");
  await sleep(LOOK);
  const from = (performance.now() - screen.startedAt) / 1000;
  for (const scene of [conversation, thread, poll, map, outage, search]) {
    await scene(screen);
  }
  const cast = { ...SIZE, title: "parley", events: recorded(screen, from) };
  await screen.close();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "demo.cast"), writeCast(cast));
  writeFileSync(path.join(folder, "demo.svg"), await animatedPicture(cast));
} finally {
  await stage.end();
}
