/** Uploads and downloads files through signed addresses: streamed, and never an incomplete file under its final name. */
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { aboutFile } from "../model/files/leftovers.ts";
import { mayLead } from "../model/pictures.ts";
import { fetchPatiently, type Fetched } from "./patient-fetch.ts";

export class TransferFailed extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "TransferFailed";
    this.status = status;
  }
}

/** The message of an error body, or the HTTP status. */
function reasonOf(response: Response, body: string): string {
  const text = body.slice(0, 2000);
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // Not JSON: use the status.
  }
  return `HTTP ${response.status}`;
}

/** Redirects of one file that are followed; of one that the user asked for. */
export const MAX_REDIRECTS = 3;
const MAX_ASKED_REDIRECTS = 10;

/** Bytes read of an error's body. */
const ERROR_BYTES = 64 * 1024;

async function textOf({ pieces }: Fetched): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces()) {
    parts.push(piece);
    if ((bytes += piece.length) >= ERROR_BYTES) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

async function requireOk(answer: Fetched): Promise<Fetched> {
  const { response } = answer;
  if (!response.ok) throw new TransferFailed(response.status, reasonOf(response, await textOf(answer)));
  return answer;
}

/** Uploads a file with PUT and a known content length. */
export async function putFile(file: string, url: string, signal: AbortSignal): Promise<void> {
  const { size } = await stat(file);
  const answer = await fetchPatiently("UploadImport", url, {
    method: "PUT",
    body: createReadStream(file),
    headers: { "Content-Type": "application/json", "Content-Length": String(size) },
    signal,
    redirect: "error",
  });
  await requireOk(answer);
  // Half an answer is none.
  for await (const _piece of answer.pieces());
}

interface DownloadOptions {
  signal: AbortSignal;
  progress?(done: number, total: number): void;
  /** Whether a redirect is followed; default: as a file that the user asked for. */
  follow?(from: string, to: string): boolean;
}

async function fetchOk(url: string, { signal, follow }: DownloadOptions): Promise<Fetched> {
  for (let [at, hop] = [url, 0]; ; hop++) {
    const answer = await fetchPatiently("Download", at, { signal, redirect: "manual" });
    const { status, headers } = answer.response;
    const location = headers.get("location");
    const to = location === null ? undefined : URL.parse(location, at)?.href;
    if (status < 300 || status > 399 || to === undefined) return requireOk(answer);
    await answer.response.body?.cancel();
    if (hop >= (follow ? MAX_REDIRECTS : MAX_ASKED_REDIRECTS))
      throw new TransferFailed(status, "the address leads on and on");
    if (!(follow ?? mayLead)(at, to)) throw new TransferFailed(status, "the address leads elsewhere");
    at = to;
  }
}

const totalOf = ({ response }: Fetched): number => Number(response.headers.get("content-length") ?? 0);

/** Downloads piece by piece; `take` is awaited. */
export async function downloadTo(
  url: string,
  write: (piece: Uint8Array) => Promise<void>,
  options: DownloadOptions,
): Promise<void> {
  const answer = await fetchOk(url, options);
  let bytes = 0;
  for await (const piece of answer.pieces()) {
    await write(piece);
    options.progress?.((bytes += piece.length), totalOf(answer));
  }
}

/** Downloads into a file through a `.part` file; returns the bytes written. */
export async function download(url: string, file: string, options: DownloadOptions): Promise<number> {
  const answer = await fetchOk(url, options);
  return writePieces(answer.pieces(), file, options, totalOf(answer));
}

/** Writes pieces into a file through a `.part` file; returns the bytes written. */
export async function writePieces(
  pieces: AsyncIterable<Uint8Array>,
  file: string,
  options: DownloadOptions,
  total = 0,
): Promise<number> {
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      options.progress?.(bytes, total);
      done(null, chunk);
    },
  });
  const part = `${file}.part`;
  try {
    await pipeline(
      Readable.from(nonEmpty(pieces), { objectMode: false }),
      count,
      createWriteStream(part, { flags: "w", mode: 0o600, flush: true }),
      { signal: options.signal },
    );
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    options.signal.throwIfAborted();
    throw isOfWriting(error) ? aboutFile(error, file) : error;
  }
  return bytes;
}

/** The pieces may fail with errors of the network. */
const isOfWriting = (error: unknown): boolean =>
  ["open", "write", "fsync", "rename"].includes(String((error as NodeJS.ErrnoException).syscall));

async function* nonEmpty(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) if (piece.length > 0) yield piece;
}

export async function* downloadPieces(url: string, options: DownloadOptions): AsyncGenerator<Uint8Array> {
  yield* (await fetchOk(url, options)).pieces();
}
