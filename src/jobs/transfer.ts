/** Uploads and downloads files through signed addresses: streamed, and never an incomplete file under its final name. */
import { createWriteStream, openAsBlob } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { transportError } from "../model/transport.ts";

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

/** Resolves for any status. Throws `TransportError` without a response, or the reason of the signal. */
async function request(
  op: string,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    init.signal.throwIfAborted();
    throw transportError(op, error);
  }
}

/** The body piece by piece; a broken connection becomes a `TransportError`, so that it is not taken for a disk error. */
async function* piecesOf(op: string, response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body!;
  } catch (error) {
    signal.throwIfAborted();
    throw transportError(op, error);
  }
}

async function textOf(op: string, response: Response, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  if (response.body) for await (const piece of piecesOf(op, response, signal)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** Uploads a file with PUT and a known content length. */
export async function putFile(file: string, url: string, signal: AbortSignal): Promise<void> {
  const body = await openAsBlob(file, { type: "application/json" });
  const answer = await request("UploadImport", url, {
    method: "PUT",
    body,
    headers: { "Content-Type": "application/json" },
    signal,
    redirect: "error",
  });
  const text = await textOf("UploadImport", answer, signal);
  if (!answer.ok) throw new TransferFailed(answer.status, reasonOf(answer, text));
}

interface DownloadOptions {
  signal: AbortSignal;
  progress?(done: number, total: number): void;
  /** Default: follow. */
  redirect?: "follow" | "error";
}

async function fetchOk(url: string, { signal, redirect = "follow" }: DownloadOptions): Promise<Response> {
  const answer = await request("Download", url, { signal, redirect });
  if (!answer.ok || !answer.body)
    throw new TransferFailed(answer.status, reasonOf(answer, await textOf("Download", answer, signal)));
  return answer;
}

/** Downloads piece by piece; `take` is awaited. */
export async function downloadTo(
  url: string,
  write: (piece: Uint8Array) => Promise<void>,
  options: DownloadOptions,
): Promise<void> {
  const { signal, progress } = options;
  const answer = await fetchOk(url, options);
  const total = Number(answer.headers.get("content-length") ?? 0);
  let bytes = 0;
  for await (const piece of piecesOf("Download", answer, signal)) {
    await write(piece);
    progress?.((bytes += piece.length), total);
  }
}

/** Downloads into a file through a `.part` file; returns the bytes written. */
export async function download(url: string, file: string, options: DownloadOptions): Promise<number> {
  const answer = await fetchOk(url, options);
  const total = Number(answer.headers.get("content-length") ?? 0);
  return writePieces(piecesOf("Download", answer, options.signal), file, options, total);
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
    throw error;
  }
  return bytes;
}

async function* nonEmpty(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) if (piece.length > 0) yield piece;
}

export async function* downloadPieces(url: string, options: DownloadOptions): AsyncGenerator<Uint8Array> {
  yield* piecesOf("Download", await fetchOk(url, options), options.signal);
}
