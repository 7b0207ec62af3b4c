/** Expands and completes the paths of an `/attach` command. */
import path from "node:path";
import { globTest, isGlob } from "../../../text/glob.ts";
import { lineWords } from "../../../text/line-words.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { size, words } from "../../../text/words.ts";
import type { Disk, DiskEntry } from "../../screen/host.ts";
import type { CompletionState, CompletionItem } from "../../screen/screen.ts";
import { escapePath, nameStart, resolvePath } from "./paths.ts";

const byName = (a: string, b: string): number => (a < b ? -1 : 1);

/** Files that match a pattern; without a match the word itself, so that the error can name it. */
async function expandGlob(disk: Disk, word: string): Promise<string[]> {
  const full = resolvePath(word, disk);
  if (await disk.entryAt(full)) return [full];
  const folder = path.dirname(full);
  const matches = globTest(path.basename(full));
  const entries = await disk.list(folder).catch((): DiskEntry[] => []);
  const files = entries.flatMap(({ name, kind }) => (kind === "file" && matches(name) ? [name] : []));
  return files.length > 0 ? files.toSorted(byName).map((name) => path.join(folder, name)) : [word];
}

/** Expands `~` and patterns in the words of an `/attach` command. */
export async function expandPaths(disk: Disk, typedWords: readonly string[]): Promise<string[]> {
  const expanded = await Promise.all(
    typedWords.map((word) => {
      if (isGlob(path.basename(word))) return expandGlob(disk, word);
      return word.startsWith("~") ? [resolvePath(word, disk)] : [word];
    }),
  );
  return expanded.flat();
}

function completionItem(entry: DiskEntry, before: string): CompletionItem {
  const folder = entry.kind === "folder";
  return {
    insert: `${before}${escapePath(entry.name)}${folder ? path.sep : " "}`,
    label: cleanLine(entry.name) + (folder ? path.sep : ""),
    detail: folder ? words.files.folder : size(entry.size ?? NaN),
  };
}

async function completionItems(disk: Disk, text: string): Promise<CompletionItem[]> {
  const cut = nameStart(text);
  const part = text.slice(cut).toLowerCase();
  const entries = await disk.list(resolvePath(text.slice(0, cut) || ".", disk)).catch((): DiskEntry[] => []);
  return entries
    .filter(({ name, kind }) => kind !== "other" && name.toLowerCase().startsWith(part))
    .filter(({ name }) => part.startsWith(".") || !name.startsWith("."))
    .toSorted((a, b) => byName(a.name, b.name))
    .map((entry) => completionItem(entry, escapePath(text.slice(0, cut))));
}

/** Completions for the path before the cursor; undefined outside an `/attach` command. */
export function pathCompletion(disk: Disk, before: string): Promise<CompletionState | undefined> | undefined {
  if (!/^\/attach\s/.test(before) || before.includes("\n")) return undefined;
  // An added letter shows whether the last word continues or a new one begins.
  const word = lineWords(`${before}x`).at(-1)!;
  return completionItems(disk, word.text.slice(0, -1)).then((items) =>
    items.length > 0 ? { start: word.start, items, selected: 0 } : undefined,
  );
}
