/** Writes the command line of arguments, for hints that repeat a command with the flags that were used. */
import { assignPositionals, fillArgs, flagName, flagOf, flagRows, positionalRows } from "./args.ts";
import type { ArgRow, Args, ArgValues, RawArgs } from "./define-command.ts";
import { lineWords } from "../../text/line-words.ts";

/** As a shell reads it back; `<time>` stands for a word to fill in. */
export const shellWord = (text: string): string =>
  /^(?:[\w@%+=:,./-]+|<\w+>)$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const isMeasured = (value: unknown): value is { at: string } =>
  typeof value === "object" && value !== null && "at" in value;

const textsOf = (value: unknown): string[] =>
  [value].flat().map((one) => (isMeasured(one) ? one.at : String(one as string | number)));

function flagWords([name, row]: readonly [string, ArgRow], value: unknown): string[] {
  const flag = `--${flagName(name)}`;
  if (row.kind === "flag") return value === true ? [flag] : [];
  return value === row.default ? [] : textsOf(value).flatMap((text) => [flag, shellWord(text)]);
}

/** `parley campaign start s.yaml --rate 5`; values that are absent or the default are left out. */
export function commandHint(path: string, rows: Args, values: Readonly<Record<string, unknown>>): string {
  const given = ([name]: readonly [string, ArgRow]): boolean => values[name] !== undefined;
  const positionals = positionalRows(rows).filter(given);
  return [
    "parley",
    path,
    ...positionals.flatMap(([name]) => textsOf(values[name]).map(shellWord)),
    ...flagRows(rows)
      .filter(given)
      .flatMap((row) => flagWords(row, values[row[0]])),
  ].join(" ");
}

/** The values of a line that `commandHint` wrote. */
export function valuesOfHint<A extends Args>(line: string, path: string, rows: A, now: number): ArgValues<A> {
  const words = lineWords(line)
    .map(({ text }) => text)
    .slice(1 + path.split(" ").length);
  const raw: RawArgs = {};
  const positionals: string[] = [];
  while (words.length > 0) {
    const word = words.shift()!;
    const [name, row] = flagOf(rows, word) ?? [];
    if (name === undefined || !row) positionals.push(word);
    else if (row.kind === "flag") raw[name] = true;
    else if (row.kind === "list") raw[name] = [raw[name] ?? [], words.shift()!].flat() as string[];
    else raw[name] = words.shift()!;
  }
  assignPositionals(rows, positionals, raw);
  return fillArgs(rows, raw, { channelType: "", now }) as ArgValues<A>;
}
