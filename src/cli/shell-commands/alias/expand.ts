/** Expands an alias: fills in `$1`, `$2` …, and appends the remaining arguments. */
import { readConfigFile } from "../../../config/load.ts";
import { ExitError } from "../../base/exit.ts";
import type { Env } from "../../../config/paths.ts";

export const aliasesOf = (env: Env): Readonly<Record<string, string>> => readConfigFile(env).aliases ?? {};

/** Splits a line into words as a shell does, with quotes and backslashes. Undefined for an unclosed quote. */
export function splitLine(line: string): string[] | undefined {
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

/** Returns argv unchanged if the first word is not an alias. Throws `ExitError` 2 for a missing argument. */
export function expandAlias(env: Env, argv: readonly string[]): readonly string[] {
  const [first = "", ...args] = argv;
  const aliases = aliasesOf(env);
  if (!Object.hasOwn(aliases, first)) return argv;
  const used = new Set<number>();
  const filled = (splitLine(aliases[first]!) ?? []).map((word) =>
    word.replace(/\$(\d)/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      if (args[index] === undefined)
        throw new ExitError(2, `The alias '${first}' needs an argument for $${digit}: ${aliases[first]}`);
      used.add(index);
      return args[index];
    }),
  );
  return [...filled, ...args.filter((_, index) => !used.has(index))];
}
