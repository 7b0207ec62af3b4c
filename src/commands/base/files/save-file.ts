/** Saves an attached file in a folder: under a free name, completely or not at all, never outside the folder. */
import { cleanFileName } from "../../../text/file-name.ts";

interface SaveOptions {
  signal: AbortSignal;
  /** In bytes; `total` is 0 when unknown. */
  progress?(done: number, total: number): void;
}

/** Bytes reserved for ` (999)` and `.part`. */
const NAME_RESERVE = 16;

/** `report.pdf`, then `report (1).pdf` and so on. */
function numbered(name: string, n: number): string {
  const dot = name.lastIndexOf(".");
  const end = dot > 0 ? name.slice(dot) : "";
  let stem = dot > 0 ? name.slice(0, dot) : name;
  while (Buffer.byteLength(stem + end) > 255 - NAME_RESERVE) stem = stem.slice(0, -1).toWellFormed();
  return n === 0 ? stem + end : `${stem} (${n})${end}`;
}

/** Creates an empty file under a free name to reserve it. */
async function reserveFile(folder: string, name: string): Promise<string> {
  const { open, stat } = await import("node:fs/promises");
  const { join } = await import("node:path");
  for (let n = 0; ; n++) {
    const file = join(folder, numbered(cleanFileName(name), n));
    // The `.part` file of the download must not exist, either.
    if (await stat(`${file}.part`).catch(() => undefined)) continue;
    try {
      await (await open(file, "wx", 0o600)).close();
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Returns the path; creates the folder if needed. On failure nothing is left behind. */
export async function saveFile(
  { url, name }: { url: string; name: string },
  folder: string,
  options: SaveOptions,
): Promise<string> {
  const { rm } = await import("node:fs/promises");
  const { download } = await import("../../../jobs/transfer.ts");
  const { makeFolders } = await import("../../../model/files/leftovers.ts");
  const unmake = makeFolders(folder);
  let file: string | undefined;
  try {
    file = await reserveFile(folder, name);
    await download(url, file, options);
    return file;
  } catch (error) {
    if (file !== undefined) await rm(file, { force: true });
    unmake();
    throw error;
  }
}
