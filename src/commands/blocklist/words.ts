/** Words of a blocklist: from the command line, and from a file with one a line. */
import { readText } from "../app/input.ts";
import type { Args, CommandCall } from "../base/define-command.ts";

export const WORD_ARGS = {
  words: { kind: "list", place: "positional", optional: true, help: "Its words" },
  file: { kind: "file", short: "f", help: "A file with one word a line; - reads standard input" },
} as const satisfies Args;

export async function readWords(
  call: Pick<CommandCall<Args>, "input">,
  { words, file }: { words?: string[] | undefined; file?: string | undefined },
): Promise<string[]> {
  const lines = file === undefined ? [] : (await readText(call, file)).split(/\r?\n/);
  return [...new Set([...(words ?? []), ...lines.map((line) => line.trim()).filter(Boolean)])];
}
