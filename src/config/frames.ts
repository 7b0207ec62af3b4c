/** Saves the last picture of the screen, which the launcher shows while the next start loads (bin/ahead.cjs). */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { replaceOwn } from "../model/files/own-files.ts";
import type { Env } from "./load.ts";
import { profileFolders } from "./places.ts";

/** Sizes and kinds of terminals of which a picture is kept, a profile. */
const MOST = 8;

/** Where the launcher looks for a picture, and what its first line must be. */
export interface FramePlace {
  file: string;
  key: string;
  profile: string;
}

/** Keeps a picture for its owner alone: `rows` are finished, with colours and nothing else. The oldest make room. */
export function keepFrame({ file, key }: FramePlace, rows: readonly string[]): void {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const drawn = rows.map((row, y) => `\x1b[${y + 1};1H${row}\x1b[m`).join("");
  replaceOwn(file, `${key}\n${drawn}`);
  const age = (name: string): number => statSync(path.join(folder, name)).mtimeMs;
  const all = readdirSync(folder).toSorted((a, b) => age(b) - age(a));
  for (const name of all.slice(MOST)) rmSync(path.join(folder, name), { force: true });
}

/** Whoever left a profile leaves no picture of it. */
export function forgetFrames(env: Env, profile: string): void {
  rmSync(path.join(profileFolders(env, profile).cache, ".frames"), { recursive: true, force: true });
}
