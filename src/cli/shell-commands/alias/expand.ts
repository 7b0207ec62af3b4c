/** Expands an alias: `$1`, `$2` … are filled in, remaining words are appended. */
import { readConfigFile, type Env } from "../../../config/load.ts";
import { ExitError } from "../../base/exit.ts";

export const aliasesOf = (env: Env): Readonly<Record<string, string>> => readConfigFile(env).aliases ?? {};

/** A line as words, as a shell would take it: quotes keep blanks, a backslash the next character. Undefined for an open quote. */
export function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (c === "\\" && quote !== "'" && i + 1 < line.length) word = (word ?? "") + line[++i]!;
    else if (quote !== "") {
      if (c === quote) quote = "";
      else word += c;
    } else if (c === "'" || c === '"') {
      quote = c;
      word ??= "";
    } else if (c === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + c;
  }
  if (word !== undefined) words.push(word);
  return quote === "" ? words : undefined;
}

/** The same words when the first is no alias. Throws `ExitError` 2 when a place is not filled. */
export function expandAlias(env: Env, argv: readonly string[]): readonly string[] {
  const [first = "", ...given] = argv;
  const aliases = aliasesOf(env);
  if (!Object.hasOwn(aliases, first)) return argv;
  const used = new Set<number>();
  const filled = (wordsOf(aliases[first]!) ?? []).map((word) =>
    word.replace(/\$(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      if (given[at] === undefined)
        throw new ExitError(2, `The alias '${first}' wants a word for $${digit}: ${aliases[first]}`);
      used.add(at);
      return given[at];
    }),
  );
  return [...filled, ...given.filter((_, at) => !used.has(at))];
}
