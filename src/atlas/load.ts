/** Loads the bundled atlas on first use. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setImmediate as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { readAtlas, type Atlas } from "./read.ts";

/** The file is beside the sources, or one folder above the bundled code. */
function atlasUrl(): URL {
  const source = new URL("./atlas.bin", import.meta.url);
  return existsSync(source) ? source : new URL("../atlas.bin", import.meta.url);
}

let loaded: Promise<Atlas> | undefined;

/** Loads once for all callers. Rejects when the file is missing. */
export function loadAtlas(): Promise<Atlas> {
  loaded ??= readFile(atlasUrl())
    .then(promisify(brotliDecompress))
    .then((bytes) => readAtlas(bytes, () => pause()));
  return loaded;
}
