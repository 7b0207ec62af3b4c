/** Draws docs/views/*.svg from the real screen on a fresh demo workspace. Run: npm run build && node scripts/views.ts */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { TYPING_PAUSE_MS } from "../src/tui/input/pace.ts";
import { Stage } from "../tests/bench/stage.ts";
import { sleep } from "../tests/bench/measure.ts";
import type { Pty } from "../tests/support/pty.ts";

const folder = path.resolve(import.meta.dirname, "../docs/views");
mkdirSync(folder, { recursive: true });

const stage = new Stage();
stage.start();
stage.parley("user", "set", "name=you");

const fontFamily = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const LIGHT = { background: "#fbfbfb", foreground: "#24292f" };

/** Draws the screen once it shows what the picture is about, and is quiet. */
const keep = async (name: string, screen: Pty, shown: string, colours = {}): Promise<void> => {
  await screen.waitFor(shown);
  await sleep(1500);
  writeFileSync(path.join(folder, `${name}.svg`), `${screen.picture({ fontFamily, ...colours })}\n`);
};

/** Keys with the pause after which a letter is no text; Escape has to be seen, or a terminal makes Alt of it. */
const press = async (screen: Pty, ...keys: string[]): Promise<void> => {
  for (const key of keys) {
    screen.key(key);
    await sleep(1.5 * TYPING_PAUSE_MS);
  }
};
const browse = async (screen: Pty): Promise<void> => {
  await press(screen, "esc");
  await screen.waitFor("BROWSE");
};

async function chat(): Promise<void> {
  const screen = stage.screen(["chat", "#general"], { cols: 120, rows: 34 });
  await screen.waitFor("deploy at ten?");
  await browse(screen);
  await press(screen, ..."kkkkk", "t");
  await keep("thread", screen, "ten it is");
  await press(screen, "esc", "esc", "C-f");
  screen.type("from:ana deploy");
  await keep("search", screen, "1 message");
  await press(screen, "C-u", "esc", "C-p");
  screen.type("theme");
  await keep("palette", screen, "Theme");
  await screen.close();
}

async function map(): Promise<void> {
  const screen = stage.screen(["chat", "#field-trip"], { cols: 120, rows: 34 });
  await screen.waitFor("near Stockholm");
  await browse(screen);
  await press(screen, "v");
  await keep("map", screen, "Map · #field-trip");
  await screen.close();
}

async function poll(): Promise<void> {
  stage.parley("config", "set", "theme", "light");
  const screen = stage.screen(["chat", "#lunch"], { cols: 100, rows: 26 });
  await keep("poll", screen, "● online", LIGHT);
  await screen.close();
  stage.parley("config", "unset", "theme");
}

async function narrow(): Promise<void> {
  const screen = stage.screen(["chat", "#general"], { cols: 56, rows: 26 });
  await keep("narrow", screen, "● online");
  await screen.close();
}

try {
  await chat();
  await map();
  await poll();
  await narrow();
} finally {
  await stage.end();
}
