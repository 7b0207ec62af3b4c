/** Saves a file of a message in a folder: under a free name, whole or not at all, never outside the folder. */
import { cleanFileName } from "../../../text/file-name.ts";

interface Saving {
  signal: AbortSignal;
  /** Bytes; the total is 0 where the other side does not tell it. */
  progress?(done: number, total: number): void;
}

/** Bytes that ` (999)` and the name beside it while it is written may take. */
const NAME_RESERVE = 16;

/** `report.pdf`, then `report (1).pdf` and so on. */
function numbered(name: string, n: number): string {
  const dot = name.lastIndexOf(".");
  const end = dot > 0 ? name.slice(dot) : "";
  let stem = dot > 0 ? name.slice(0, dot) : name;
  while (Buffer.byteLength(stem + end) > 255 - NAME_RESERVE) stem = stem.slice(0, -1).toWellFormed();
  return n === 0 ? stem + end : `${stem} (${n})${end}`;
}

/** An empty file of a name that nothing had; it holds the place. The folder is made where it is missing. */
async function placeFor(folder: string, name: string): Promise<string> {
  const { mkdir, open, stat } = await import("node:fs/promises");
  const { join } = await import("node:path");
  await mkdir(folder, { recursive: true });
  for (let n = 0; ; n++) {
    const file = join(folder, numbered(cleanFileName(name), n));
    // What is being written has a name beside it: nothing may stand there, either.
    if (await stat(`${file}.part`).catch(() => undefined)) continue;
    try {
      await (await open(file, "wx", 0o600)).close();
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** The path under which it was saved. Rejects with what the transfer or the disk rejects with, and leaves nothing behind then. */
export async function saveFile(
  { url, name }: { url: string; name: string },
  folder: string,
  how: Saving,
): Promise<string> {
  const { rm } = await import("node:fs/promises");
  const { download } = await import("../../../jobs/transfer.ts");
  const file = await placeFor(folder, name);
  try {
    await download(url, file, how);
    return file;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}
