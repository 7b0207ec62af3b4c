/** Reads a file of items, JSON lines or one JSON array, item by item in constant memory. */
import { open } from "node:fs/promises";
import { cutItems, itemForm } from "../wire/imports/items.ts";

/** Bytes read at a time; an item may be as long as `LONGEST`. */
const PIECE = 256 * 1024;
const LONGEST = 64 * 1024 * 1024;

interface FileItem {
  /** Counted from 1. */
  n: number;
  text: string;
}

/** Bytes of the file. Throws the file system's own error when there is none. */
export async function fileSize(file: string): Promise<number> {
  const handle = await open(file, "r");
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** The JSON texts of the items in order. `done` is told how many bytes are read. */
export async function* readItems(
  file: string,
  { signal, done }: { signal?: AbortSignal; done?(bytes: number): void } = {},
): AsyncIterable<FileItem> {
  const handle = await open(file, "r");
  try {
    const head = await handle.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    const form = itemForm(head.buffer.subarray(0, head.bytesRead)) ?? "lines";
    let at = 0;
    let n = 0;
    let length = PIECE;
    for (;;) {
      signal?.throwIfAborted();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
      const last = bytesRead < length;
      const { items, used } = cutItems(buffer.subarray(0, bytesRead), form, last);
      for (const text of items) yield { n: ++n, text };
      at += used;
      done?.(at);
      if (last) return;
      // The item is longer than the piece that was read, so a bigger one is read.
      length = used === 0 ? length * 4 : PIECE;
      if (length > LONGEST) throw new Error(`item ${n + 1} of ${file} is longer than ${LONGEST} bytes`);
    }
  } finally {
    await handle.close();
  }
}
