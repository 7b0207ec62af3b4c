/** The three standard streams one by one: which are terminals, which get colour, and writing at the reader's speed. */
import { fstatSync } from "node:fs";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { decoded } from "../../text/decode.ts";

/** The standard streams of a run; `main.ts` gives those of the process. */
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

/** What the input is; a character device that is no terminal is `/dev/null` and brings nothing, nor does what is no file at all. */
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

/** Writes and waits while the reader is slow, so that memory stays flat; a reader that left ends the wait. */
export async function write(stream: NodeJS.WritableStream, text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || stream.write(text)) return;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  stream.once("close", leave);
  await once(stream, "drain", { signal: gone.signal }).catch(() => {});
  stream.off("close", leave);
}

/** The input as it comes; reading ends at once when the run is called off, also while nothing comes. */
export async function* readPieces(
  input: InputStream,
  signal: AbortSignal,
): AsyncIterable<Uint8Array<ArrayBuffer> | string> {
  const leave = (): void => void (input as Partial<Readable>).destroy?.(signal.reason as Error);
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    yield* input as AsyncIterable<Uint8Array<ArrayBuffer> | string>;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** The input as text pieces, whatever its encoding. */
export const readText = (input: InputStream, signal: AbortSignal): AsyncIterable<string> =>
  decoded(readPieces(input, signal));

/** Lines of the input; a BOM, CRLF and a missing last newline are tolerated. */
export async function* readLines(input: InputStream, signal: AbortSignal): AsyncIterable<string> {
  let rest = "";
  let first = true;
  for await (const piece of readText(input, signal)) {
    if (signal.aborted) return;
    rest += first ? piece.replace(/^\uFEFF/, "") : piece;
    first = false;
    const lines = rest.split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  if (rest !== "") yield rest.replace(/\r$/, "");
}
