/** Copies standard input or a web file into a private temporary file for an upload. */
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

/** How many bytes are read to detect text. */
const HEAD_BYTES = 4096;

/** Copies the input to `stdin.txt`, or to `stdin.bin` if it is not text. */
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

/** Downloads a file, named after the last segment of its address. Throws `ExitError`. */
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
    const file = path.join(folder, fileNameFrom(address));
    await pipeline(response.body, createWriteStream(file, { flags: "wx", mode: 0o600 }), { signal });
    return { file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The last segment of the path, as a file name that is valid on every system. */
function fileNameFrom(address: string): string {
  const segment = decodeURIComponent(new URL(address).pathname.split("/").at(-1) ?? "");
  return segment.replace(/[^\w. -]/g, "_").replace(/^\.+/, "") || "download";
}

export async function linkAs(file: string, name: string): Promise<{ file: string; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-"));
  const link = path.join(folder, path.basename(name) || "file");
  symlinkSync(path.resolve(file), link);
  return { file: link, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function isText(file: string): boolean {
  const bytes = Buffer.alloc(HEAD_BYTES);
  const handle = openSync(file, "r");
  const head = bytes.subarray(0, readSync(handle, bytes, 0, HEAD_BYTES, 0));
  closeSync(handle);
  try {
    // `stream` accepts a character cut off at the end.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return !head.includes(0);
  } catch {
    return false;
  }
}
