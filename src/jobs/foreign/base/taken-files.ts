/** Files that are in an export: copied into a folder beside the import file, whose items name them by relative addresses. */
import { createWriteStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { aboutFile, makeFolders } from "../../../model/files/leftovers.ts";
import { cleanFileName } from "../../../text/file-name.ts";
import { shortHash } from "./ids.ts";
import type { ExportFile } from "./zip.ts";

/** The address of a taken file in an item: `./items.jsonl.files/F1-cup.png`. */
const ADDRESS = /^\.\/([^/\\]+\.files)\/([^/\\]+)$/;

/** The file that an item of `importFile` names; undefined for any other address. */
export function takenFile(address: unknown, importFile: string): string | undefined {
  const [, folder, name] = ADDRESS.exec(typeof address === "string" ? address : "") ?? [];
  if (folder === undefined || name === undefined || name === ".." || name === ".") return undefined;
  return path.join(path.dirname(importFile), folder, name);
}

/** Whether the file may name files beside it. */
export async function hasTakenFiles(importFile: string): Promise<boolean> {
  const beside = await readdir(path.dirname(importFile), { withFileTypes: true });
  return beside.some((entry) => entry.isDirectory() && entry.name.endsWith(".files"));
}

export class TakenFiles {
  readonly #folder: string;
  /** Name in the folder → the file. */
  readonly #files = new Map<string, ExportFile>();
  /** Names in the form that all file systems take for the same. */
  readonly #taken = new Map<string, ExportFile>();
  readonly #isDry: boolean;

  constructor(importFile: string, { dry = false }: { dry?: boolean } = {}) {
    this.#folder = `${importFile}.files`;
    this.#isDry = dry;
  }

  /** The address for an item; `name` is that of the copy, marked if it would be that of another file. */
  address(file: ExportFile, name: string): string {
    const plain = cleanFileName(name, "file");
    const isFree = (this.#taken.get(sameName(plain)) ?? file) === file;
    const clean = isFree ? plain : cleanFileName(`${shortHash(file.name)}-${plain}`, "file");
    this.#taken.set(sameName(clean), file);
    this.#files.set(clean, file);
    return `./${path.basename(this.#folder)}/${clean}`;
  }

  /** Overwrites what a conversion before has copied. Throws `BadExport`, and what writing a file throws. */
  async copy(signal: AbortSignal): Promise<void> {
    if (this.#isDry || this.#files.size === 0) return;
    const unmake = makeFolders(this.#folder, 0o700);
    for (const [name, file] of this.#files) {
      const copy = path.join(this.#folder, name);
      await rm(copy, { force: true });
      try {
        await pipeline(file.read(), createWriteStream(copy, { flags: "wx", mode: 0o600 }), { signal });
      } catch (error) {
        await rm(copy, { force: true });
        unmake();
        throw (error as NodeJS.ErrnoException).syscall === "write" ? aboutFile(error, copy) : error;
      }
    }
  }
}

/** Some file systems know neither case nor composition. */
const sameName = (name: string): string => name.normalize("NFC").toLowerCase();
