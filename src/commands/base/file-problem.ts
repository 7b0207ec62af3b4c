/** Why a file that somebody named cannot be read, or not be written, in words. */
import { CommandError } from "./define-command.ts";

export const noFile = (file: string): CommandError =>
  new CommandError("notFound", `There is no file ${file}.`);

/** Nothing is written over unasked. */
export const fileExists = (file: string): CommandError =>
  new CommandError("conflict", `${file} already exists.`, "Add --force to overwrite it.");

/** The error to throw for one of the file system; anything else comes back as it is. */
export function fileProblem(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return noFile(file);
  if (code === "EISDIR") return new CommandError("rejected", `${file} is a folder, not a file.`);
  if (code === "EACCES") return new CommandError("rejected", `${file} cannot be read.`);
  return error;
}
