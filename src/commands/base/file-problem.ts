/** Errors about files named by the user. */
import { CommandError } from "./define-command.ts";

export const noFile = (file: string): CommandError =>
  new CommandError("notFound", `There is no file ${file}.`);

export const fileExists = (file: string): CommandError =>
  new CommandError("conflict", `${file} already exists.`, "Add --force to overwrite it.");

const isFolder = (file: string): CommandError =>
  new CommandError("rejected", `${file} is a folder, not a file.`);

/** Converts a file system error into a `CommandError`; any other error is returned unchanged. */
export function fileProblem(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return noFile(file);
  if (code === "EISDIR") return isFolder(file);
  if (code === "EACCES") return new CommandError("rejected", `${file} cannot be read.`);
  if (code === "ERR_STRING_TOO_LONG" || code === "ERR_FS_FILE_TOO_LARGE")
    return new CommandError("rejected", `${file} is too large to be read at once.`);
  return error;
}

/** Checks the output file before any request. Throws `CommandError`. */
export async function requireWritable(file: string, force = false): Promise<void> {
  const { stat } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  if (!(await stat(dirname(file)).catch(() => undefined))?.isDirectory())
    throw new CommandError("notFound", `There is no folder for ${file}.`);
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) throw isFolder(file);
  if (there && !force) throw fileExists(file);
}
