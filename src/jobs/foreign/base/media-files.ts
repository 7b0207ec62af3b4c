/** The files in an export that messages show: taken along or counted. */
import type { Tally } from "../../tally.ts";
import type { TakenFiles } from "./taken-files.ts";
import type { ExportFile } from "./zip.ts";

export class MediaFiles {
  readonly #taken: TakenFiles | undefined;
  readonly #used = new Set<ExportFile>();

  /** Without `taken` nothing is copied: the import is printed. */
  constructor(taken: TakenFiles | undefined) {
    this.#taken = taken;
  }

  /** The address of a file of the export for an item; undefined when files are not taken along. */
  address(file: ExportFile, name: string, tally: Tally): string | undefined {
    this.#used.add(file);
    if (this.#taken) return this.#taken.address(file, name);
    tally.add("file", "in the export itself: --out writes them beside the import file");
    return undefined;
  }

  /** Whether a message names it. */
  isUsed(file: ExportFile): boolean {
    return this.#used.has(file);
  }
}
