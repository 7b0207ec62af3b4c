/** The atlas of this program, read from its file when it is first wanted. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setImmediate as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { readAtlas, type Atlas } from "./read.ts";

/** Beside the sources, and one folder above the bundled code. */
function place(): URL {
  const beside = new URL("./atlas.bin", import.meta.url);
  return existsSync(beside) ? beside : new URL("../atlas.bin", import.meta.url);
}

let loaded: Promise<Atlas> | undefined;

/** The same one for everybody. Rejects where the file is missing. */
export function loadAtlas(): Promise<Atlas> {
  loaded ??= readFile(place())
    .then(promisify(brotliDecompress))
    .then((bytes) => readAtlas(bytes, () => pause()));
  return loaded;
}
