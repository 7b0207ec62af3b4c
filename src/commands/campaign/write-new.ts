/** Writes a new file and never overwrites an existing one. */
import { CommandError } from "../base/define-command.ts";

/** Throws `CommandError` (conflict). */
export async function writeNew(file: string, text: string): Promise<void> {
  const { writeFile } = await import("node:fs/promises");
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new CommandError("conflict", `${file} already exists.`, "Name another file.");
  }
}
