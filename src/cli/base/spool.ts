/** The input as a file, for uploads: written to a private temporary folder that goes away afterwards. */
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Input } from "./stdio.ts";

export async function spoolInput(
  input: Input,
  name = "stdin.txt",
): Promise<{ file: string; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  const file = path.join(folder, name);
  await pipeline(input, createWriteStream(file, { flags: "wx", mode: 0o600 }));
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
