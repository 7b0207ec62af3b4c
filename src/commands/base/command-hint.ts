/** Writes the command line of arguments, for hints that repeat a command with the flags that were used. */
import { flagName, flagRows, positionalRows } from "./args.ts";
import type { ArgRow, Args } from "./define-command.ts";

/** As a shell reads it back; `<time>` stands for a word to fill in. */
const shellWord = (text: string): string =>
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
