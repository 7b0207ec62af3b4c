/** Draws docs/views/*.svg from the real screen on a fresh demo workspace. Run: npm run build && node scripts/views.ts */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
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

const keep = async (name: string, screen: Pty, colours = {}): Promise<void> => {
  await sleep(1500);
  writeFileSync(path.join(folder, `${name}.svg`), `${screen.picture({ fontFamily, ...colours })}\n`);
};

const press = async (screen: Pty, ...keys: string[]): Promise<void> => {
  for (const key of keys) {
    screen.key(key);
    await sleep(400);
  }
};

async function chat(): Promise<void> {
  const screen = stage.screen(["chat", "#general"], { cols: 120, rows: 34 });
  await screen.waitFor("deploy at ten?");
  await sleep(2000);
  await press(screen, "esc");
  screen.type("k".repeat(5));
  await press(screen, "t");
  await screen.waitFor("ten it is");
  await keep("thread", screen);
  await press(screen, "esc", "esc", "C-f");
  screen.type("from:ana deploy");
  await keep("search", screen);
  await press(screen, "C-u", "esc", "C-p");
  screen.type("theme");
  await keep("palette", screen);
  await screen.close();
}

async function map(): Promise<void> {
  const screen = stage.screen(["chat", "#field-trip"], { cols: 120, rows: 34 });
  await screen.waitFor("#field-trip   ");
  await sleep(3000);
  await press(screen, "esc", "v");
  await keep("map", screen);
  await screen.close();
}

async function poll(): Promise<void> {
  stage.parley("config", "set", "theme", "light");
  const screen = stage.screen(["chat", "#lunch"], { cols: 100, rows: 26 });
  await screen.waitFor("● online");
  await keep("poll", screen, LIGHT);
  await screen.close();
  stage.parley("config", "unset", "theme");
}

async function narrow(): Promise<void> {
  const screen = stage.screen(["chat", "#general"], { cols: 56, rows: 26 });
  await screen.waitFor("● online");
  await keep("narrow", screen);
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
