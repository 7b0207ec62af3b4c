/** Reads and writes the standard streams, with backpressure and cancellation. */
import { fstatSync } from "node:fs";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { textLines } from "../../commands/base/text.ts";
import { decodeText } from "../../text/decode.ts";

export interface Streams {
  in: InputStream;
  out: OutputStream;
  err: OutputStream;
}
export type InputStream = NodeJS.ReadableStream & {
  fd?: number;
  isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
};
export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };

/** The kind of the input; a character device that is not a terminal (`/dev/null`) or a closed descriptor counts as none. */
export function inputKind(input: InputStream): "pipe" | "file" | "tty" | "none" {
  if (input.fd === undefined) return "none";
  try {
    const s = fstatSync(input.fd);
    if (s.isFIFO() || s.isSocket()) return "pipe";
    if (s.isFile()) return "file";
    return input.isTTY ? "tty" : "none";
  } catch {
    return "none";
  }
}

/** Writes, and waits for a slow reader so that memory stays flat; a closed stream ends the wait. */
export async function write(stream: NodeJS.WritableStream, text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || stream.write(text)) return;
  const closed = new AbortController();
  const onClose = (): void => closed.abort();
  stream.once("close", onClose);
  await once(stream, "drain", { signal: closed.signal }).catch(() => {});
  stream.off("close", onClose);
}

/** The chunks of the input; an abort ends the reading at once, even while it waits for data. */
export async function* readChunks(
  input: InputStream,
  signal: AbortSignal,
): AsyncIterable<Uint8Array<ArrayBuffer> | string> {
  const onAbort = (): void => void (input as Partial<Readable>).destroy?.(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    yield* input as AsyncIterable<Uint8Array<ArrayBuffer> | string>;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The input as chunks of text, in any encoding that `decoded` detects. */
export const readText = (input: InputStream, signal: AbortSignal): AsyncIterable<string> =>
  decodeText(readChunks(input, signal));

/** Lines of the input; a BOM, CRLF and a missing last newline are tolerated. */
export async function* readLines(input: InputStream, signal: AbortSignal): AsyncIterable<string> {
  let isFirst = true;
  for await (const line of textLines(readText(input, signal))) {
    if (signal.aborted) return;
    yield (isFirst ? line.replace(/^\uFEFF/, "") : line).replace(/\r$/, "");
    isFirst = false;
  }
}
