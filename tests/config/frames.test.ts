/** Frames of the screen saved on disk: readable by their owner only, one for each profile, and removed with the profile. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFrames, saveFrame } from "../../src/config/frames.ts";
import { framesFolder } from "../../src/config/paths.ts";

let home: string;
let env: Record<string, string>;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "parley-frames-"));
  env = { HOME: home, XDG_CACHE_HOME: path.join(home, "cache") };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const frameOf = (name: string, profile = "work") => ({
  file: path.join(framesFolder(env, profile), name),
  key: "key",
  profile,
});

test("a frame file has the key first, then each row with its position, and is private", () => {
  saveFrame(frameOf("a"), ["one", "two"]);
  const { file } = frameOf("a");
  expect(readFileSync(file, "utf8")).toBe("key\n\x1b[1;1Hone\x1b[m\x1b[2;1Htwo\x1b[m");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

test("a frame replaces those of other sizes, which may show what has been deleted since", () => {
  saveFrame(frameOf("wide"), ["a deleted text"]);
  saveFrame(frameOf("narrow"), ["row"]);
  expect(readdirSync(path.dirname(frameOf("narrow").file))).toEqual(["narrow"]);
});

test("removing the frames of a profile keeps those of others", () => {
  saveFrame(frameOf("a"), ["row"]);
  saveFrame(frameOf("a", "other"), ["row"]);
  removeFrames(env, "work");
  expect([existsSync(frameOf("a").file), existsSync(frameOf("a", "other").file)]).toEqual([false, true]);
});
