/** Saves the last frame of the screen, which the launcher shows while the next start loads (bin/ahead.cjs). */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { replaceOwn } from "../model/files/own-files.ts";
import { framesFolder, type Env } from "./paths.ts";

/** The file of a frame; the launcher shows it only when its first line is `key`. */
export interface FrameFile {
  file: string;
  key: string;
  profile: string;
}

/** Saves the only frame of a profile, readable by its owner only: an older one might show what has been deleted since. `rows` hold text and colours, no other sequences. */
export function saveFrame({ file, key }: FrameFile, rows: readonly string[]): void {
  const folder = path.dirname(file);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const content = rows.map((row, y) => `\x1b[${y + 1};1H${row}\x1b[m`).join("");
  replaceOwn(file, `${key}\n${content}`);
}

/** Removes all frames of a profile, after leaving it. */
export function removeFrames(env: Env, profile: string): void {
  rmSync(framesFolder(env, profile), { recursive: true, force: true });
}
