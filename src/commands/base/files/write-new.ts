/** Writes a new file and never overwrites an existing one. */
import { CommandError } from "../define-command.ts";

/** A dry run only checks that it could. Throws `CommandError` (conflict). */
export async function writeNew(file: string, text: string, dry: boolean): Promise<void> {
  const { rm, writeFile } = await import("node:fs/promises");
  const { existsSync } = await import("node:fs");
  if (dry && existsSync(file)) throw alreadyExists(file);
  if (dry) return;
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw alreadyExists(file);
    // Only what was opened here may be removed.
    if (syscall !== "open") await rm(file, { force: true });
    const { aboutFile } = await import("../../../model/files/leftovers.ts");
    throw aboutFile(error, file);
  }
}

const alreadyExists = (file: string): CommandError =>
  new CommandError("conflict", `${file} already exists.`, "Name another file.");
