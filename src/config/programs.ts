/** Finds programs in PATH, without folders that depend on where the user is. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import path from "node:path";
import type { Env } from "./paths.ts";

/** Scripts need a command interpreter on Windows, whose quoting cannot be trusted with arguments. */
export const PROGRAM_ENDINGS = process.platform === "win32" ? [".exe", ".com"] : [""];

const realPathOf = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
};

/** The folders of PATH, each once; without relative and empty ones. */
export function programFolders(env: Env): string[] {
  const real = new Set<string>();
  return (env.PATH ?? "").split(path.delimiter).filter((folder) => {
    if (!path.isAbsolute(folder) || real.has(realPathOf(folder))) return false;
    real.add(realPathOf(folder));
    return true;
  });
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The path of the program that runs under this name; undefined if no folder of PATH has it. */
export const findProgram = (env: Env, name: string): string | undefined =>
  programFolders(env)
    .flatMap((folder) => PROGRAM_ENDINGS.map((ending) => path.join(folder, name + ending)))
    .find(isProgram);
