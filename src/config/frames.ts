/** Saves the last frame of the screen, which the launcher shows while the next start loads (bin/ahead.cjs). */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { replaceOwn } from "../model/files/own-files.ts";
import { framesFolder, type Env } from "./paths.ts";

/** Frames saved per profile: one for each size and kind of terminal. */
const MAX_FRAMES = 8;

/** The file of a frame; the launcher shows it only when its first line is `key`. */
export interface FrameFile {
  file: string;
  key: string;
  profile: string;
}

/** Saves a frame, readable by its owner only, and removes the oldest ones. `rows` hold text and colours, no other sequences. */
export function saveFrame({ file, key }: FrameFile, rows: readonly string[]): void {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const content = rows.map((row, y) => `\x1b[${y + 1};1H${row}\x1b[m`).join("");
  replaceOwn(file, `${key}\n${content}`);
  const age = (name: string): number => statSync(path.join(folder, name)).mtimeMs;
  const all = readdirSync(folder).toSorted((a, b) => age(b) - age(a));
  for (const name of all.slice(MAX_FRAMES)) rmSync(path.join(folder, name), { force: true });
}

/** Removes all frames of a profile, after leaving it. */
export function removeFrames(env: Env, profile: string): void {
  rmSync(framesFolder(env, profile), { recursive: true, force: true });
}
