/** Signs of the screen in ASCII: each keeps its cell, and those that differ in meaning differ. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { asciiSigns } from "../../../src/tui/terminal/ascii-signs.ts";
import { OutFacade } from "../../../src/tui/terminal/out-facade.ts";
import { SYNC_BEGIN, SYNC_END } from "../../../src/tui/terminal/modes.ts";

test("a popup, a selection, rails, a thumb and hints are drawn, letters and emoji stay", () => {
  const before = [
    "╭─ Go to ── 1 of 2 ╮",
    "│▌ #lunch · né 👍  ▐",
    "├──────┼───┤┴╯╰",
    "● online ○ ◌ ✓ ✗ ↑↓ ⏎ … › ▸ ▾",
  ];
  const after = [
    "+- Go to -- 1 of 2 +",
    "|> #lunch . né 👍  |",
    "+------+---++++",
    "* online o o + x ^v < ~ > > v",
  ];
  expect(before.map(asciiSigns)).toEqual(after);
});

test("maps, polls and levels of a voice message keep their cells", () => {
  expect(asciiSigns("⠀⠁⣿ ━━┄┄ ▁▃▆█ ░█")).toBe(" .. ==.. _-=# .#");
});

test("no line, block or shape of the golden screens is left", () => {
  const folder = path.resolve(import.meta.dirname, "..");
  const files = globSync("**/__snapshots__/*.snap", { cwd: folder });
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), "utf8");
    const drawn = asciiSigns(text);
    expect(drawn.length).toBe(text.length);
    expect([file, /[\u2190-\u22ff\u2500-\u25ff\u2800-\u28ff]/.exec(drawn)?.[0]]).toEqual([file, undefined]);
  }
});

test("a frame is written in ASCII, and so is one that is kept for the next start", () => {
  const written: string[] = [];
  const terminal = { columns: 20, rows: 4, write: (data: string) => void written.push(data) };
  const hooks = { entered: () => "", leaving: () => "", ready: () => {} };
  const out = new OutFacade(terminal, hooks, asciiSigns);
  const draw = (): void => {
    for (const part of [SYNC_BEGIN, "│ a", SYNC_END]) out.write(part);
  };
  draw();
  expect(written).toEqual([`${SYNC_BEGIN}| a${SYNC_END}`]);
  expect(out.capture(draw)).toBe("| a");
});
