/** Reads the words of a blocklist from the command line and from a file: one per line, or as `blocklist get` prints them. */
import { BLOCKLIST_WORD_LENGTH, WORDS_PER_BLOCKLIST } from "../../wire/constants.ts";
import type { Blocklist } from "../../wire/entities/blocklist.ts";
import { count, firstFew } from "../../text/words.ts";
import { readTextFile } from "../base/json.ts";
import { CommandError, type Args, type FileReading } from "../base/define-command.ts";
import { parseObject } from "../../wire/json-object.ts";

/** The column of `blocklist get --csv`. */
export const CSV_HEAD = "word";

export const WORD_ARGS = {
  words: { kind: "list", positional: true, optional: true, help: "Its words" },
  file: {
    kind: "file",
    short: "f",
    help: "A file with a word on each line, or what blocklist get prints; - reads standard input",
  },
} as const satisfies Args;

/** Throws `CommandError` (rejected) for words that are too long, naming their lines, and for too many words. */
export async function readWords(
  call: FileReading,
  { words, file }: { words: string[]; file?: string | undefined },
): Promise<string[]> {
  const fileWords = file === undefined ? [] : wordsIn(await readTextFile(call, file));
  const tooLong = fileWords.filter(({ word }) => word.length > BLOCKLIST_WORD_LENGTH).map(({ line }) => line);
  if (tooLong.length > 0)
    throw new CommandError(
      "rejected",
      `${tooLong.length === 1 ? "Line" : "Lines"} ${firstFew(tooLong)}: a word has at most ${BLOCKLIST_WORD_LENGTH} characters.`,
    );
  const all = [...new Set([...words, ...fileWords.map(({ word }) => word)])];
  if (all.length > WORDS_PER_BLOCKLIST)
    throw new CommandError(
      "rejected",
      `A blocklist has at most ${WORDS_PER_BLOCKLIST} words, and here are ${all.length}.`,
      "Cut them into several lists: a channel type can name more than one.",
    );
  return all;
}

export const describeList = ({ name, words }: Blocklist): string =>
  `${name} has ${count(words.length, "word")}`;

/** Lines are counted from 1. */
function wordsIn(text: string): { line: number; word: string }[] {
  const lines = text
    .split(/\r?\n/)
    .map((word, i) => ({ line: i + 1, word: word.trim() }))
    .filter(({ word }) => word !== "");
  const first = lines[0]?.word;
  if (first === CSV_HEAD) return lines.slice(1);
  return first?.startsWith('{"') ? lines.flatMap(parseJsonList) : lines;
}

/** The words of a blocklist as JSON. Throws `CommandError` (rejected). */
function parseJsonList({
  line,
  word: text,
}: {
  line: number;
  word: string;
}): { line: number; word: string }[] {
  const words = parseObject(text)?.words;
  if (Array.isArray(words)) return words.map((word) => ({ line, word: String(word) }));
  throw new CommandError("rejected", "A line of JSON in the file is not a blocklist.");
}
