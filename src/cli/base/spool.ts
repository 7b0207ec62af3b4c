/** The input as a file, for uploads: written to a private temporary folder that goes away afterwards. */
import { closeSync, createWriteStream, mkdtempSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Input } from "./stdio.ts";

/** As many bytes tell whether it is text. */
const HEAD = 4096;

/** Bytes that are no text get no name that says so. */
export async function spoolInput(
  input: Input,
  signal?: AbortSignal,
): Promise<{ file: string; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const spool = path.join(folder, "spool");
  try {
    await pipeline(input, createWriteStream(spool, { flags: "wx", mode: 0o600 }), signal ? { signal } : {});
    const file = path.join(folder, isText(spool) ? "stdin.txt" : "stdin.bin");
    renameSync(spool, file);
    return { file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function isText(file: string): boolean {
  const bytes = Buffer.alloc(HEAD);
  const handle = openSync(file, "r");
  const head = bytes.subarray(0, readSync(handle, bytes, 0, HEAD, 0));
  closeSync(handle);
  try {
    // A character may be cut at the end of the head.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return !head.includes(0);
  } catch {
    return false;
  }
}
