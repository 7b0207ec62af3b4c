/** Streams the one file of a multipart body to disk within a size limit; a failed upload leaves nothing behind. */
import { EventEmitter, once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Transform, Writable, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { MULTIPART_FIELD_LIMIT } from "../../wire/constants.ts";
import { ApiProblem } from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";
import { FilePace, TOO_SLOW } from "./file-pace.ts";
import { detectType } from "./rules.ts";

export interface ReceivedFile {
  name: string;
  mimeType: string;
  size: number;
  fields: Record<string, string>;
}

/**
 * Writes the part `file` to `target`; without one its bytes are counted only. `accept` checks name and type before the first byte is stored and returns the limit in
 * bytes, or throws. Rejects with 4 (no file, two files, a field over 64 KiB, malformed multipart) or 22 (too big).
 */
export async function receive(
  request: IncomingMessage,
  target: string | undefined,
  accept: (name: string, mimeType: string) => number,
): Promise<ReceivedFile> {
  try {
    return await stream(request, target, accept);
  } catch (error) {
    if (target !== undefined) await rm(target, { force: true });
    throw error;
  }
}

/** Throws code 22 for a file of more than `limit` bytes. */
export function requireSize(size: number, limit: number): void {
  if (size > limit) throw ApiProblem.tooBig(`the file may be at most ${limit} bytes`);
}

/** Throws code 4 unless the request has a multipart body. */
function parserOf({ headers }: IncomingMessage): InstanceType<typeof Busboy> {
  if (!/^multipart\/form-data\s*;/i.test(headers["content-type"] ?? ""))
    throw ApiProblem.input("the content type must be multipart/form-data");
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { files: 1, fields: 16, parts: 20, fieldSize: MULTIPART_FIELD_LIMIT, headerPairs: 32 },
    });
  } catch {
    throw ApiProblem.input("the multipart body is malformed");
  }
}

/** Reads the fields, and refuses more than one file with them. */
function readFields(
  parser: InstanceType<typeof Busboy>,
  fields: Record<string, string>,
  refuse: (problem: ApiProblem) => void,
): void {
  parser.on("field", (name: string, value: string, _nameCut: boolean, valueCut: boolean) => {
    if (valueCut)
      refuse(
        ApiProblem.input(`the field ${name.slice(0, 40)} is longer than ${MULTIPART_FIELD_LIMIT} bytes`),
      );
    fields[name] ??= value;
  });
  parser.on("filesLimit", () => refuse(ApiProblem.input("only one file may be sent at a time")));
  parser.on("fieldsLimit", () => refuse(ApiProblem.input("too many fields")));
  parser.on("partsLimit", () => refuse(ApiProblem.input("too many parts")));
}

async function stream(
  request: IncomingMessage,
  target: string | undefined,
  accept: (name: string, mimeType: string) => number,
): Promise<ReceivedFile> {
  const parser = parserOf(request);
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let file: Promise<ReceivedFile> | undefined;
  const end = new AbortController();
  let refuse!: (error: unknown) => void;
  const declared = trackDeclaredType(parser);
  const refused = new Promise<never>((_, reject) => (refuse = reject));
  refused.catch(() => {});

  readFields(parser, fields, refuse);
  parser.on(
    "file",
    (part: string, source: Readable, name: string | undefined, _encoding: string, type: string) => {
      if (part !== "file" || file) return void source.resume();
      file = write(source, target, name ?? "", declared() ? type : undefined, accept, end.signal);
      file.catch((error: unknown) => {
        source.resume();
        refuse(error);
      });
    },
  );
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on("finish", resolve);
    parser.on("error", () => reject(ApiProblem.input("the multipart body is malformed")));
    request.on("aborted", () => reject(ApiProblem.timedOut("the upload was cut off")));
    request.on("error", () => reject(ApiProblem.timedOut("the upload was cut off")));
  });
  const pace = new FilePace(() => refuse(ApiProblem.timedOut(TOO_SLOW, { status: 408 })));
  request.on("data", (chunk: Buffer) => pace.moved(chunk.length));
  request.pipe(parser);
  try {
    await Promise.race([parsed, refused]);
    if (!file) throw invalidField("file", "is required");
    return { ...(await Promise.race([file, refused])), fields };
  } catch (error) {
    request.unpipe(parser);
    parser.removeAllListeners();
    parser.on("error", () => {});
    parser.destroy();
    end.abort();
    // The caller removes the target, so its writer must have closed it.
    await file?.catch(() => {});
    throw error;
  } finally {
    pace.stop();
  }
}

/** The internal header parser of Busboy, which its types do not declare. */
interface PartReader extends EventEmitter {
  prependListener(event: "part", listener: (part: EventEmitter) => void): this;
}

/** Whether the current part has a Content-Type header: Busboy reports text/plain for a part without one. */
function trackDeclaredType(parser: InstanceType<typeof Busboy>): () => boolean {
  const reader = (parser as unknown as { _parser: { parser: PartReader } })._parser.parser;
  let declared = false;
  reader.prependListener("part", (part) =>
    part.prependListener("header", (header: Record<string, unknown>) => {
      declared = header["content-type"] !== undefined;
    }),
  );
  return () => declared;
}

async function write(
  source: Readable,
  target: string | undefined,
  name: string,
  declared: string | undefined,
  accept: (name: string, mimeType: string) => number,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const type = detectType(name, declared, await firstBytes(source));
  const limit = accept(name, type);
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      try {
        requireSize(size, limit);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const sink =
    target === undefined
      ? new Writable({ write: (_chunk, _encoding, done) => done() })
      : createWriteStream(target, { flags: "wx", mode: 0o600, flush: true });
  await pipeline(source, count, sink, { signal });
  return { name, mimeType: type, size, fields: {} };
}

/** The first chunk of a stream, which is put back; empty at the end of the stream. */
async function firstBytes(source: Readable): Promise<Uint8Array> {
  for (;;) {
    const head = source.read() as Buffer | null;
    if (head) {
      source.unshift(head);
      return head;
    }
    if (source.readableEnded || source.destroyed) return new Uint8Array();
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race(["readable", "end", "close"].map((event) => once(source, event, { signal })));
    waiting.abort();
  }
}
