/** Opens files for upload: their name, size and bytes. */
import { createReadStream } from "node:fs";
import { open as openHandle, stat } from "node:fs/promises";
import path from "node:path";
import { lookup } from "mime-types";
import { LocalError } from "../../model/errors.ts";
import { orientedSize } from "../../model/oriented-size.ts";
import type { UploadSource } from "../base/ports.ts";

const SLICE_BYTES = 256 * 1024;

/** Bytes of a picture read to find its dimensions. */
const HEAD_BYTES = 512 * 1024;

async function pixels(file: string): Promise<{ width: number; height: number } | undefined> {
  const { imageSize } = await import("image-size");
  const handle = await openHandle(file);
  try {
    const head = new Uint8Array(HEAD_BYTES);
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
    const { width, height } = orientedSize(imageSize(head.subarray(0, bytesRead)));
    return width > 0 && height > 0 ? { width, height } : undefined;
  } finally {
    await handle.close();
  }
}

function unreadableError(file: string, { code }: NodeJS.ErrnoException): LocalError {
  if (code === "ENOENT") return new LocalError(`There is no file ${file}`, code);
  return new LocalError(`The file ${file} ${code === "EACCES" ? "may not be read" : "cannot be read"}`, code);
}

/** Throws `LocalError` when the file does not exist or is not a plain file. */
export async function openUpload(file: string): Promise<UploadSource> {
  const name = path.basename(file);
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadableError(file, error);
  });
  if (stats.isDirectory()) throw new LocalError(`${file} is a folder`);
  if (!stats.isFile()) throw new LocalError(`${file} is not a plain file`);
  const size = stats.size;
  return {
    name,
    size,
    mimeType: lookup(name) || undefined,
    // Not a picture, or a damaged one: sent without dimensions.
    dimensions: () => pixels(file).catch(() => undefined),
    async *open() {
      let sent = 0;
      if (size > 0)
        for await (const chunk of createReadStream(file, { end: size - 1, highWaterMark: SLICE_BYTES })) {
          sent += (chunk as Buffer).length;
          yield chunk as Buffer;
        }
      if (sent !== size) throw new LocalError(`The file ${name} became shorter while it was read`);
    },
  };
}
