/** Copies standard input into a private temporary file for an upload, and removes it afterwards. */
import {
  closeSync,
  createWriteStream,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { ExitError } from "./exit.ts";
import type { InputStream } from "./stdio.ts";

/** As many bytes tell whether it is text. */
const HEAD = 4096;

/** Bytes that are no text get no name that says so. */
export async function spoolInput(
  input: InputStream,
  signal: AbortSignal,
): Promise<{ file: string; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const spool = path.join(folder, "spool");
  try {
    await pipeline(input, createWriteStream(spool, { flags: "wx", mode: 0o600 }), { signal });
    const file = path.join(folder, isText(spool) ? "stdin.txt" : "stdin.bin");
    renameSync(spool, file);
    return { file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A file of the web, under the last word of its address. Throws `ExitError`. */
export async function spoolUrl(
  address: string,
  signal: AbortSignal,
): Promise<{ file: string; remove(): void }> {
  const response = await fetch(address, { signal }).catch((error: Error) => {
    if (signal.aborted) throw error;
    throw new ExitError(
      10,
      `${address} cannot be reached: ${String((error.cause as Error)?.message ?? error.message)}`,
    );
  });
  if (!response.ok || !response.body) throw new ExitError(3, `${address} answers with ${response.status}.`);
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const file = path.join(folder, lastWord(address));
    await pipeline(response.body, createWriteStream(file, { flags: "wx", mode: 0o600 }), { signal });
    return { file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What may be the name of a file on every system. */
function lastWord(address: string): string {
  const word = decodeURIComponent(new URL(address).pathname.split("/").at(-1) ?? "");
  return word.replace(/[^\w. -]/g, "_").replace(/^\.+/, "") || "download";
}

/** The same bytes under another name. */
export async function renamed(file: string, name: string): Promise<{ file: string; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  const link = path.join(folder, path.basename(name) || "file");
  symlinkSync(path.resolve(file), link);
  return { file: link, remove: () => rmSync(folder, { recursive: true, force: true }) };
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
