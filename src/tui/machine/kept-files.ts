/** Files of this run: pasted pictures and long texts, which an upload reads, and reads again for another try. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const folders: string[] = [];

/** Its path; each has a folder of its own, so that names never meet. */
export function keepForRun(name: string, content: Buffer | string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  folders.push(folder);
  const file = path.join(folder, name);
  writeFileSync(file, content, { mode: 0o600 });
  return file;
}

/** They are gone with the program. */
export function forgetFiles(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
