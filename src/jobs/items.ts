/** Reads a file of JSON lines or one JSON array item by item, in constant memory. */
import { open } from "node:fs/promises";
import { LocalError } from "../model/errors.ts";
import { splitItems, itemForm } from "../wire/imports/items.ts";

/** Bytes per read, and maximum length of an item. */
const READ_SIZE = 256 * 1024;
const MAX_ITEM = 64 * 1024 * 1024;

interface FileItem {
  /** Counted from 1. */
  n: number;
  text: string;
}

/** Size in bytes. Throws the error of the file system if the file is missing. */
export async function fileSize(file: string): Promise<number> {
  const handle = await open(file, "r");
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** The JSON texts of the items in order; `done` is called with the number of bytes read. */
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
    let length = READ_SIZE;
    for (;;) {
      signal?.throwIfAborted();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
      const isLast = bytesRead < length;
      const { items, consumed } = splitItems(buffer.subarray(0, bytesRead), form, {
        isFirst: at === 0,
        last: isLast,
      });
      for (const text of items) yield { n: ++n, text };
      at += consumed;
      done?.(at);
      if (isLast) return;
      // The item is longer than the piece that was read: read a bigger one.
      length = consumed === 0 ? length * 4 : READ_SIZE;
      if (length > MAX_ITEM) throw new LocalError(`Item ${n + 1} is longer than 64 MiB`);
    }
  } finally {
    await handle.close();
  }
}
