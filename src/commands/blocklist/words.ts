/** Words of a blocklist: from the command line, and from a file with one a line or as `blocklist get` prints them. */
import { readText } from "../app/input.ts";
import { CommandError } from "../base/define-command.ts";
import type { Args, CommandCall } from "../base/define-command.ts";

/** The column of `blocklist get --csv`. */
export const CSV_HEAD = "word";

export const WORD_ARGS = {
  words: { kind: "list", place: "positional", optional: true, help: "Its words" },
  file: {
    kind: "file",
    short: "f",
    help: "A file with a word on each line, or what blocklist get prints; - reads standard input",
  },
} as const satisfies Args;

export async function readWords(
  call: Pick<CommandCall<Args>, "input">,
  { words, file }: { words?: string[] | undefined; file?: string | undefined },
): Promise<string[]> {
  const lines = file === undefined ? [] : wordsIn(await readText(call, file));
  return [...new Set([...(words ?? []), ...lines])];
}

function wordsIn(text: string): string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines[0] === CSV_HEAD) return lines.slice(1);
  return lines[0]?.startsWith('{"') ? lines.flatMap(wordsOfList) : lines;
}

/** Throws `CommandError` (rejected) for what is no blocklist as JSON. */
function wordsOfList(line: string): string[] {
  try {
    const { words } = JSON.parse(line) as { words?: unknown };
    if (Array.isArray(words)) return words.map(String);
  } catch {
    // Said below.
  }
  throw new CommandError("rejected", "The file holds a line of JSON that is no blocklist with words.");
}
