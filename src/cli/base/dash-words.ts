/** Words that begin with a dash and are values: `-33.8,151.2`, `-5 degrees`, `search -foo`. */
import { acceptedFlags, flagOf, positionalRows } from "../../commands/base/args.ts";
import type { Args, RawArgs } from "../../commands/base/define-command.ts";
import type { CommandTree } from "./command-tree.ts";
import { GLOBALS, isGlobalFlag } from "./globals.ts";

/** Marks a value that the parser would take for a flag; no argument of a process contains it. */
const MARK = "\0";

const unmarked = (word: string): string => (word.startsWith(MARK) ? word.slice(1) : word);

/** Letters of short flags → whether the flag takes a value. */
function shortFlags(args: Args): Map<string, boolean> {
  const letters = new Map<string, boolean>();
  for (const { flags } of GLOBALS) {
    const letter = /^-(\w),/.exec(flags)?.[1];
    if (letter !== undefined) letters.set(letter, flags.includes("<"));
  }
  for (const [, row] of acceptedFlags(args))
    if (row.short !== undefined) letters.set(row.short, row.kind !== "flag");
  return letters.set("h", false).set("V", false);
}

/** Whether short flags can be read from these letters: `-nq`, `-fnotes.txt`. */
function areFlags(letters: string, known: ReadonlyMap<string, boolean>): boolean {
  for (const letter of letters) {
    const takesValue = known.get(letter);
    if (takesValue === undefined) return false;
    if (takesValue) return true;
  }
  return true;
}

/** Whether a long flag is called so: `-hard` is one with a dash too few. */
const isFlagName = (name: string, args: Args): boolean =>
  flagOf(args, `--${name}`) !== undefined || isGlobalFlag(`--${name}`);

/** Whether a word is a value, although it begins with a dash. One letter, or a name after two dashes, is a mistyped flag. */
export function isDashValue(word: string, args: () => Args): boolean {
  if (!word.startsWith("-") || word === "-" || word === "--") return false;
  if (/^-[.\d]/.test(word) || /^-\s/.test(word)) return true;
  if (/^--?[\w-]+=/.test(word)) return false;
  if (word.startsWith("--")) return /^--[^=]*\s/.test(word);
  if (word.length === 2) return false;
  const letters = word.slice(1);
  return (
    positionalRows(args()).length > 0 &&
    !isFlagName(letters, args()) &&
    !areFlags(letters, shortFlags(args()))
  );
}

/** Marks the values among the words, up to `--`. What completion is asked about is no line of its own. */
export function markValues(tree: CommandTree, argv: readonly string[]): string[] {
  if (argv[0] === "__complete") return [...argv];
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  let args: Args | undefined;
  const known = (): Args => (args ??= tree.find(tree.pathAtStart(argv) ?? "")?.args ?? {});
  return argv.map((word, n) => (n < end && isDashValue(word, known) ? MARK + word : word));
}

/** Takes the marks away from everything that was parsed, in place for flags. */
export function unmark(raw: RawArgs, words: readonly string[], flags: Record<string, unknown>): string[] {
  for (const values of [raw, flags] as Record<string, unknown>[])
    for (const [name, value] of Object.entries(values))
      if (typeof value === "string") values[name] = unmarked(value);
      else if (Array.isArray(value))
        values[name] = value.map((one: unknown) => (typeof one === "string" ? unmarked(one) : one));
  return words.map(unmarked);
}
