/** Frames of the screen saved on disk: readable by their owner only, limited in number, and removed with the profile. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
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

test("at most eight frames are stored, and the oldest are removed", () => {
  for (let n = 0; n < 10; n++) {
    saveFrame(frameOf(`f${n}`), ["row"]);
    utimesSync(frameOf(`f${n}`).file, 1000 + n, 1000 + n);
  }
  saveFrame(frameOf("last"), ["row"]);
  const names = readdirSync(path.dirname(frameOf("last").file)).toSorted();
  expect(names).toEqual(["f3", "f4", "f5", "f6", "f7", "f8", "f9", "last"]);
});

test("removing the frames of a profile keeps those of others", () => {
  saveFrame(frameOf("a"), ["row"]);
  saveFrame(frameOf("a", "other"), ["row"]);
  removeFrames(env, "work");
  expect([existsSync(frameOf("a").file), existsSync(frameOf("a", "other").file)]).toEqual([false, true]);
});
