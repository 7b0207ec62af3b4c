/** Reads the files that are uploaded: what they are called, how long they are, and their bytes in slices. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { lookup } from "mime-types";
import { LocalError } from "../errors.ts";

/** A file as the upload path needs it. */
export interface UploadSource {
  /** Base name. */
  name: string;
  /** Bytes. */
  size: number;
  /** By extension; undefined when unknown. */
  mimeType: string | undefined;
  /** Exactly `size` bytes, or the iteration throws because the file changed meanwhile. */
  open(): AsyncIterable<Uint8Array>;
}

const SLICE = 256 * 1024;

const FAULTS: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "may not be read",
  EISDIR: "is a folder",
};

/** Throws `LocalError` when there is no such file or it is not a plain one. */
export async function openUpload(file: string): Promise<UploadSource> {
  const name = path.basename(file);
  const facts = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new LocalError(`The file ${name} ${FAULTS[error.code ?? ""] ?? "cannot be read"}`);
  });
  if (facts.isDirectory()) throw new LocalError(`The file ${name} is a folder`);
  if (!facts.isFile()) throw new LocalError(`The file ${name} is not a plain file`);
  const size = facts.size;
  return {
    name,
    size,
    mimeType: lookup(name) || undefined,
    async *open() {
      let sent = 0;
      if (size > 0)
        for await (const chunk of createReadStream(file, { end: size - 1, highWaterMark: SLICE })) {
          sent += (chunk as Buffer).length;
          yield chunk as Buffer;
        }
      if (sent !== size) throw new LocalError(`The file ${name} became shorter while it was read`);
    },
  };
}
