/** Temporary files of this run: pasted pictures and long texts, which uploads read, also when retried. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeTemporaryFolder, removeLeftFolders } from "../../model/files/temporary-folder.ts";

const folders: string[] = [];

/** Returns the file's path; each file has its own folder, so that names cannot collide. */
export function writeTempFile(name: string, content: Buffer | string): string {
  const folder = makeTemporaryFolder();
  folders.push(folder);
  const file = path.join(folder, name);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

/** Deletes them when the program ends, and those that a killed one has left. */
export function deleteTempFiles(): void {
  removeLeftFolders();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
