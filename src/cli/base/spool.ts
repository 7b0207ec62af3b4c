/** Copies standard input or a web file into a private temporary file for an upload. */
import { closeSync, createWriteStream, openSync, readSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { makeTemporaryFolder } from "../../model/files/temporary-folder.ts";
import { piecesAt } from "../../commands/base/files/fetch-file.ts";
import { cleanFileName, lastSegment } from "../../text/file-name.ts";
import { ExitError } from "./exit.ts";
import type { InputStream } from "./stdio.ts";

/** How many bytes are read to detect text. */
const HEAD_BYTES = 4096;

interface TemporaryFile {
  file: string;
  remove(): void;
}

/** Creates a temporary folder, and removes it again if `fill`, which returns the file in it, fails. */
async function inTemporaryFolder(fill: (folder: string) => Promise<string>): Promise<TemporaryFile> {
  const folder = makeTemporaryFolder();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    return { file: await fill(folder), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

interface SpoolOptions {
  signal: AbortSignal;
  /** A longer input, which may never end, is refused. */
  maxBytes?: number | undefined;
}

/** Throws `ExitError` 7 for more than `maxBytes`. */
const save = (
  source: NodeJS.ReadableStream | AsyncIterable<Uint8Array>,
  file: string,
  { signal, maxBytes = Infinity }: SpoolOptions,
) => {
  async function* upToLimit(chunks: AsyncIterable<Buffer | string>): AsyncIterable<Buffer | string> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new ExitError(7, `The file is larger than ${Math.floor(maxBytes / 2 ** 20)} MiB.`);
      yield chunk;
    }
  }
  const target = createWriteStream(file, { flags: "wx", mode: 0o600 });
  return pipeline(source as NodeJS.ReadableStream, upToLimit, target, { signal });
};

/** An error that names a copy, about what was copied: `-` is standard input. */
export function aboutGiven(error: unknown, copy: string, given: string): unknown {
  if (error instanceof Error)
    error.message = error.message.replaceAll(copy, given === "-" ? "standard input" : given);
  return error;
}

/** Copies the input to `stdin.txt`, or to `stdin.bin` if it is not text. */
export const spoolInput = (input: InputStream, options: SpoolOptions): Promise<TemporaryFile> =>
  inTemporaryFolder(async (folder) => {
    const spool = path.join(folder, "spool");
    await save(input, spool, options);
    const file = path.join(folder, isText(spool) ? "stdin.txt" : "stdin.bin");
    renameSync(spool, file);
    return file;
  });

/** The error of a download for people; others are returned as they are. */
function unfetched(address: string, error: unknown): unknown {
  const { name, message, status } = error as Error & { status?: number };
  if (name === "TransferFailed") return new ExitError(3, `${address} answers with ${status}.`);
  if (name === "TransportError") return new ExitError(10, `${address} cannot be reached`, undefined, message);
  return error;
}

/** Downloads a file, named after the last segment of its address. Throws `ExitError`. */
export async function spoolUrl(address: string, options: SpoolOptions): Promise<TemporaryFile> {
  const { signal } = options;
  if (!URL.canParse(address)) throw new ExitError(2, `'${address}' is not an address.`);
  return inTemporaryFolder(async (folder) => {
    const file = path.join(folder, cleanFileName(lastSegment(address), "download"));
    await save(await piecesAt(address, signal), file, options).catch((error: unknown) => {
      throw unfetched(address, error);
    });
    return file;
  });
}

export const linkAs = (file: string, name: string): Promise<TemporaryFile> =>
  inTemporaryFolder(async (folder) => {
    const link = path.join(folder, path.basename(name) || "file");
    symlinkSync(path.resolve(file), link);
    return link;
  });

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
