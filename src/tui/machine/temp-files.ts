/** Temporary files of this run: pasted pictures and long texts, which uploads read, also when retried. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const folders: string[] = [];

/** Returns the file's path; each file has its own folder, so that names cannot collide. */
export function writeTempFile(name: string, content: Buffer | string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  folders.push(folder);
  const file = path.join(folder, name);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

/** Deletes them when the program ends. */
export function deleteTempFiles(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
