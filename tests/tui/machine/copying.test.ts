/** Copying through tmux and the desktop's programs, replaced by scripts that keep what they are given. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { copyWithPrograms } from "../../../src/tui/machine/copying.ts";

const TEXT = "$(touch gone) größer\nand a second line";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-copy-"));
  for (const name of ["tmux", "wl-copy", "xclip", "pbcopy"]) {
    const file = path.join(folder, name);
    const keep = `{ printf '%s|' "$*"; /bin/cat; } > "${file}.part" && /bin/mv "${file}.part" "${file}.out"`;
    writeFileSync(file, `#!/bin/sh\n${keep}\n`);
    chmodSync(file, 0o755);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What the programs were given: arguments and standard input. */
const given = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith(".out"))
      .map((name) => [name.slice(0, -4), readFileSync(path.join(folder, name), "utf8")]),
  );

describe.skipIf(process.platform === "win32")("a copied text", () => {
  test.each([
    [
      "tmux, which ignores what programs write to its clipboard",
      { TMUX: "/t,1,0" },
      "linux",
      { tmux: "load-buffer -w -" },
    ],
    [
      "tmux over SSH, but to no desktop there",
      { TMUX: "/t,1,0", SSH_TTY: "/dev/pts/1", DISPLAY: ":0" },
      "linux",
      { tmux: "load-buffer -w -" },
    ],
    ["the clipboard of Wayland", { WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, "linux", { "wl-copy": "" }],
    ["the clipboard of X", { DISPLAY: ":0" }, "linux", { xclip: "-selection clipboard -in" }],
    [
      "the clipboard of macOS, and tmux",
      { TMUX: "/t,1,0" },
      "darwin",
      { tmux: "load-buffer -w -", pbcopy: "" },
    ],
  ] as const)("goes to %s", async (_, env, platform, programs) => {
    copyWithPrograms(TEXT, { ...env, PATH: folder }, platform);
    const expected = Object.fromEntries(
      Object.entries(programs).map(([name, args]) => [name, `${args}|${TEXT}`]),
    );
    await vi.waitFor(() => expect(given()).toEqual(expected));
  });

  test("goes nowhere without the programs, and nothing fails", () => {
    expect(() =>
      copyWithPrograms(TEXT, { TMUX: "/t,1,0", DISPLAY: ":0", PATH: "/nowhere" }, "linux"),
    ).not.toThrow();
  });
});
