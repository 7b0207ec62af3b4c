/** Transfers whole files between disk and signed addresses: streamed, and never half a file under its final name. */
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

/** What an error body says, without trusting that it is one. */
function reasonOf(answer: Response, body: string): string {
  const text = body.slice(0, 2000);
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // An answer that is not JSON has no sentence in it.
  }
  return `HTTP ${answer.status}`;
}

/** Any status is an answer; no answer is a `TransportError`, and what the caller called off stays that. */
async function ask(op: string, url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    init.signal.throwIfAborted();
    throw transportError(op, error);
  }
}

/** The body of an answer piece by piece; a line that breaks is a `TransportError`, never a fault of the file behind it. */
async function* piecesOf(op: string, answer: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* answer.body!;
  } catch (error) {
    signal.throwIfAborted();
    throw transportError(op, error);
  }
}

async function textOf(op: string, answer: Response, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  if (answer.body) for await (const piece of piecesOf(op, answer, signal)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** Puts a file to an address; its length is told beforehand. */
export async function putFile(file: string, url: string, signal: AbortSignal): Promise<void> {
  const body = await openAsBlob(file, { type: "application/json" });
  const answer = await ask("UploadImport", url, {
    method: "PUT",
    body,
    headers: { "Content-Type": "application/json" },
    signal,
    redirect: "error",
  });
  const said = await textOf("UploadImport", answer, signal);
  if (!answer.ok) throw new TransferFailed(answer.status, reasonOf(answer, said));
}

interface Fetching {
  signal: AbortSignal;
  progress?(done: number, total: number): void;
  /** What becomes of an answer that points elsewhere; it is followed unless told otherwise. */
  redirect?: "follow" | "error";
}

async function fetched(url: string, { signal, redirect = "follow" }: Fetching): Promise<Response> {
  const answer = await ask("Download", url, { signal, redirect });
  if (!answer.ok || !answer.body)
    throw new TransferFailed(answer.status, reasonOf(answer, await textOf("Download", answer, signal)));
  return answer;
}

/** Fetches an address piece by piece; `take` is waited for. */
export async function downloadTo(
  url: string,
  take: (piece: Uint8Array) => Promise<void>,
  options: Fetching,
): Promise<void> {
  const { signal, progress } = options;
  const answer = await fetched(url, options);
  const total = Number(answer.headers.get("content-length") ?? 0);
  let bytes = 0;
  for await (const piece of piecesOf("Download", answer, signal)) {
    await take(piece);
    progress?.((bytes += piece.length), total);
  }
}

/** Fetches an address into a file, by way of a name beside it; answers the bytes written. */
export async function download(url: string, file: string, options: Fetching): Promise<number> {
  const answer = await fetched(url, options);
  const total = Number(answer.headers.get("content-length") ?? 0);
  return writePieces(piecesOf("Download", answer, options.signal), file, options, total);
}

/** Pieces into a file, by way of a name beside it; answers the bytes written. */
export async function writePieces(
  pieces: AsyncIterable<Uint8Array>,
  file: string,
  options: Fetching,
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
      Readable.from(filled(pieces), { objectMode: false }),
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

async function* filled(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) if (piece.length > 0) yield piece;
}

/** The pieces of an address. */
export async function* pieces(url: string, options: Fetching): AsyncGenerator<Uint8Array> {
  yield* piecesOf("Download", await fetched(url, options), options.signal);
}
