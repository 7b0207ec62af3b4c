/** Moves whole files between disk and signed addresses: streamed, and never half a file under its own name. */
import { createWriteStream, openAsBlob } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

export class TransferFailed extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "TransferFailed";
    this.status = status;
  }
}

/** What an error body says, without trusting that it is one. */
async function reasonOf(answer: Response): Promise<string> {
  const text = (await answer.text()).slice(0, 2000);
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // no JSON
  }
  return `HTTP ${answer.status}`;
}

/** Puts a file to an address; its length is told beforehand. */
export async function putFile(file: string, url: string, signal: AbortSignal): Promise<void> {
  const body = await openAsBlob(file, { type: "application/json" });
  const answer = await fetch(url, {
    method: "PUT",
    body,
    headers: { "Content-Type": "application/json" },
    signal,
    redirect: "error",
  });
  if (!answer.ok) throw new TransferFailed(answer.status, await reasonOf(answer));
  await answer.arrayBuffer();
}

/** Fetches an address into a file, by way of a name beside it; answers the bytes written. */
export async function download(
  url: string,
  file: string,
  options: { signal: AbortSignal; progress?(done: number, total: number): void },
): Promise<number> {
  const answer = await fetch(url, { signal: options.signal });
  if (!answer.ok || !answer.body) throw new TransferFailed(answer.status, await reasonOf(answer));
  const total = Number(answer.headers.get("content-length") ?? 0);
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
      Readable.fromWeb(answer.body as ReadableStream),
      count,
      createWriteStream(part, { flags: "w", mode: 0o600, flush: true }),
      { signal: options.signal },
    );
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return bytes;
}
