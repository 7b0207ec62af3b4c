/** Expands the paths of an `/attach` line, and completes them. */
import path from "node:path";
import { globTest, isGlob } from "../../../text/glob.ts";
import { lineWords } from "../../../text/line-words.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { size, words } from "../../../text/words.ts";
import type { Disk, DiskEntry } from "../../screen/host.ts";
import type { CompletionState, CompletionItem } from "../../screen/screen.ts";
import { escaped, resolved } from "./paths.ts";

const byName = (a: string, b: string): number => (a < b ? -1 : 1);

/** Files of the folder that the pattern means; the word itself where there are none, so that it can be told. */
async function globbed(disk: Disk, word: string): Promise<string[]> {
  const full = resolved(word, disk);
  if (await disk.look(full)) return [full];
  const folder = path.dirname(full);
  const fits = globTest(path.basename(full));
  const entries = await disk.list(folder).catch((): DiskEntry[] => []);
  const files = entries.flatMap(({ name, kind }) => (kind === "file" && fits(name) ? [name] : []));
  return files.length > 0 ? files.toSorted(byName).map((name) => path.join(folder, name)) : [word];
}

/** What the words of a line name: each file as it stands there, or all that a pattern means. */
export async function filesNamed(disk: Disk, named: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    named.map((word) => {
      if (isGlob(path.basename(word))) return globbed(disk, word);
      return word.startsWith("~") ? [resolved(word, disk)] : [word];
    }),
  );
  return found.flat();
}

function itemOf(entry: DiskEntry, before: string): CompletionItem {
  const folder = entry.kind === "folder";
  return {
    insert: `${before}${escaped(entry.name)}${folder ? path.sep : " "}`,
    label: cleanLine(entry.name) + (folder ? path.sep : ""),
    detail: folder ? words.files.folder : size(entry.size ?? NaN),
  };
}

const folderEnd = (text: string): number =>
  Math.max(text.lastIndexOf("/"), path.sep === "\\" ? text.lastIndexOf("\\") : -1) + 1;

async function itemsFor(disk: Disk, text: string): Promise<CompletionItem[]> {
  const cut = folderEnd(text);
  const part = text.slice(cut).toLowerCase();
  const entries = await disk.list(resolved(text.slice(0, cut) || ".", disk)).catch((): DiskEntry[] => []);
  return entries
    .filter(({ name, kind }) => kind !== "other" && name.toLowerCase().startsWith(part))
    .filter(({ name }) => part.startsWith(".") || !name.startsWith("."))
    .toSorted((a, b) => byName(a.name, b.name))
    .map((entry) => itemOf(entry, escaped(text.slice(0, cut))));
}

/** What the path before the cursor could become; undefined where no path is written. */
export function pathCompletion(disk: Disk, before: string): Promise<CompletionState | undefined> | undefined {
  if (!/^\/attach\s/.test(before) || before.includes("\n")) return undefined;
  // One letter more tells whether a word goes on or a new one begins.
  const word = lineWords(`${before}x`).at(-1)!;
  return itemsFor(disk, word.text.slice(0, -1)).then((items) =>
    items.length > 0 ? { start: word.start, items, selected: 0 } : undefined,
  );
}
