/** The player of this machine: the first one in PATH, given one local file as an argument of its own. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { findPlayer } from "../../../src/tui/machine/players.ts";
import { until } from "../../support/home.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-players-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that writes its arguments, one a line, and then does this. */
function install(name: string, then = ""): void {
  const bin = path.join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nfor one in "$@"; do printf '%s\\n' "$one"; done > '${folder}/${name}.args'\n${then}\n`;
  writeFileSync(path.join(bin, name), script);
  chmodSync(path.join(bin, name), 0o755);
}
const env = { PATH: `${path.join(folder, "bin")}:/usr/bin:/bin` };
const argsOf = (name: string): string[] =>
  readFileSync(path.join(folder, `${name}.args`), "utf8")
    .trimEnd()
    .split("\n");

test("mpv comes before ffplay, and none of them is none", async () => {
  expect(findPlayer({ PATH: path.join(folder, "bin") })).toBeUndefined();
  expect(findPlayer({})).toBeUndefined();
  // A folder, what may not be run, and what a relative folder has is no program.
  mkdirSync(path.join(folder, "bin", "mpv"), { recursive: true });
  writeFileSync(path.join(folder, "bin", "afplay"), "");
  expect(findPlayer({ PATH: path.join(folder, "bin") })).toBeUndefined();
  rmSync(path.join(folder, "bin", "mpv"), { recursive: true });
  install("ffplay");
  expect(findPlayer(env)?.name).toBe("ffplay");
  install("mpv");
  expect(findPlayer(env)?.name).toBe("mpv");
});

test("a file's name is one argument and reaches no shell; the end of the program says whether it was played", async () => {
  const hostile = path.join(folder, "a'; touch owned; $(touch owned) .aac");
  for (const name of ["ffplay", "mpv"]) {
    install(name);
    expect(await findPlayer(env)!.play(hostile).ended).toBe(true);
    expect(argsOf(name).at(-1)).toBe(hostile);
    expect(argsOf(name).filter((arg) => arg.includes("touch"))).toHaveLength(1);
  }
  install("mpv", "exit 2");
  expect(await findPlayer(env)!.play(hostile).ended).toBe(false);
});

test("stopping ends the program", async () => {
  install("mpv", "exec sleep 600");
  const { stop, ended } = findPlayer(env)!.play("/x");
  await until("the program to run", () => {
    try {
      return argsOf("mpv").length > 1;
    } catch {
      return false;
    }
  });
  stop();
  expect(await ended).toBe(false);
});
