/** Parses a chat line into plain text, a provider command, or a command of Parley with its arguments (specification/command-line.md §7). */
import {
  fillArgs,
  flagName,
  flagOf,
  flagRows,
  isRequired,
  defaultMessageOf,
  positionalRows,
  positionalUsage,
  assignPositionals,
  NotAChannel,
  type ArgDefaults,
  type NamedRow,
} from "./base/args.ts";
import { NOUN_WORDS, NOUNS } from "./nouns.ts";
import { ALIASES, commands } from "./table.gen.ts";
import { CommandError, type Args, type Command, type Question, type RawArgs } from "./base/define-command.ts";
import { lineWords } from "../text/line-words.ts";
import { firstWords } from "../text/first-words.ts";
import { cidProblem } from "../wire/ids.ts";
import { nearest } from "../text/spelling.ts";

/** A command with parsed arguments. */
export interface CommandLine {
  kind: "command";
  path: string;
  /** The text after the name as typed; absent for a form. */
  rest?: string;
  values: Record<string, unknown>;
}

/** A command by its path and unparsed arguments, as from a form. Throws `CommandError` (usage). */
export function commandLine(path: string, raw: RawArgs, defaults: ArgDefaults): CommandLine {
  return { kind: "command", path, values: fillArgs(commands.row(path).args, raw, defaults) };
}

type Line =
  | { kind: "text"; text: string }
  /** A command of the channel's config: sent as text, the provider runs it. */
  | { kind: "provider"; name: string; text: string }
  | CommandLine
  /** Looks like a command, but no such command exists. */
  | { kind: "unknown"; name: string }
  | Fault;

/** A command with invalid arguments; `message` explains. */
interface Fault {
  kind: "fault";
  path: string;
  message: string;
}

/** A command line whose definition is loaded. */
export interface LoadedLine extends Omit<CommandLine, "kind"> {
  kind: "loaded";
  command: Command;
  /** What to ask before it runs. */
  question: Question | undefined;
}

/** A line that was loaded, or the fault that its code finds in the arguments. */
type ReadyLine = LoadedLine | Fault;

/** Loads the command of a line, and checks the arguments as its code does. */
export const loadLine = async (line: CommandLine): Promise<ReadyLine> =>
  checkedLine(line, await commands.load(line.path));

/** The same at once, if the command is loaded. */
export function loadedLine(line: CommandLine): ReadyLine | undefined {
  const command = commands.loaded(line.path);
  return command && checkedLine(line, command);
}

/** Loads the command at the start of a line ahead of Enter, so that what is typed after it does not overtake its question. */
export const loadAhead = (path: string): void => void commands.load(path).catch(() => {});

function checkedLine(line: CommandLine, command: Command): ReadyLine {
  const { path, values } = line;
  try {
    // Building the question also checks the arguments.
    const question = command.confirm?.(values as never);
    if (command.asApp?.(values as never))
      return { kind: "fault", path, message: shellHint(path, "needs the app's secret for that") };
    return { ...line, kind: "loaded", command, question };
  } catch (error) {
    return faultOf(path, error);
  }
}

/** The fault of a usage error; other errors are thrown. */
function faultOf(path: string, error: unknown): Fault {
  if (error instanceof CommandError) return { kind: "fault", path, message: whyFault(error) };
  throw error;
}

/** The name alone is what is typed most often for a channel of the default type. */
function whyFault(error: CommandError): string {
  const isName = error instanceof NotAChannel && cidProblem(`messaging:${error.word}`) === undefined;
  return isName ? `${error.message.replace(/\.$/, "")}: write #${error.word}.` : error.message;
}

/** Finds the command at the start of a line (without the slash), and the text after its name. */
export function findCommand(body: string): { path: string; rest: string } | undefined {
  // The longest path wins: `poll option add` before `poll …`.
  for (const words of [3, 2, 1]) {
    const found = firstWords(body, words);
    if (!found) continue;
    const [first = "", ...more] = found.words.split(/[ \t]+/);
    const path = [words > 1 ? (NOUNS[first] ?? first) : first, ...more].join(" ");
    const full = commands.resolve(path);
    const known = commands.has(full) ? full : words === 1 ? ALIASES[path] : undefined;
    if (known) return { path: known, rest: found.rest };
  }
  return undefined;
}

/** Why a command is not available in the chat line, as a sentence. */
function unavailableReason(path: string): string | undefined {
  const { needs, shellOnly } = commands.row(path);
  const reason = needs === "secret" ? "needs the app's secret" : shellOnly;
  return reason === undefined ? undefined : shellHint(path, reason);
}

const shellHint = (path: string, reason: string): string =>
  `/${path} ${reason}: run parley ${path} in a shell.`;

/** Commands available in the chat line. */
export const chatPaths = (): string[] =>
  commands.paths.filter((path) => unavailableReason(path) === undefined);

/** Splits a line like `lineWords`. Throws `CommandError` on an open quote. */
export function splitWords(text: string): string[] {
  const words = lineWords(text);
  const quote = words.at(-1)?.openQuote;
  if (quote) throw new CommandError("usage", `A ${quote} is not closed.`);
  return words.map((word) => word.text);
}

function setFlag(raw: RawArgs, [name, row]: NamedRow, value: string | undefined): void {
  if (row.kind === "flag") raw[name] = value ?? true;
  else if (value === undefined) throw new CommandError("usage", `--${flagName(name)} needs a value.`);
  else if (row.kind === "list") raw[name] = [...((raw[name] as string[] | undefined) ?? []), value];
  else raw[name] = value;
}

/** The argument that takes the remaining text, if any. */
const restArgument = (args: Args): NamedRow | undefined =>
  positionalRows(args).find(([, row]) => row.positional === "rest");

const WORD = /^("[^"]*"|'[^']*'|\S+)\s*([\s\S]*)$/;
const unquote = (word: string): string =>
  /^(["']).*\1$/s.test(word) && word.length > 1 ? word.slice(1, -1) : word;

/** Parses a command that ends in free text: flags and positionals come first, the remaining text is kept as typed. */
function readWithRest(args: Args, text: string, restName: string, defaults: ArgDefaults): RawArgs {
  const raw: RawArgs = {};
  const positionals = positionalRows(args).filter(([, row]) => row.positional === true);
  let remaining = text;
  for (;;) {
    const flag = /^(--?)([a-z][\w-]*)(?:=("[^"]*"|'[^']*'|\S*))?(?:\s+([\s\S]*))?$/i.exec(remaining);
    const row = flag && flagOf(args, flag[1]! + flag[2]!);
    if (flag && row) {
      remaining = flag[4] ?? "";
      let value = flag[3] === undefined ? undefined : unquote(flag[3]);
      if (row[1].kind !== "flag" && value === undefined) {
        const next = WORD.exec(remaining);
        value = next ? unquote(next[1]!) : undefined;
        remaining = next?.[2] ?? "";
      }
      setFlag(raw, row, value);
      continue;
    }
    const word = positionals.length > 0 ? WORD.exec(remaining) : null;
    if (!word) break;
    // Not a message id, and there is a default message: the text starts here.
    if (
      defaultMessageOf(positionals[0]![1]) &&
      defaults.message &&
      !defaults.namesMessage?.(unquote(word[1]!))
    ) {
      positionals.shift();
      continue;
    }
    raw[positionals.shift()![0]] = unquote(word[1]!);
    remaining = word[2]!;
  }
  raw[restName] = remaining === "" ? undefined : remaining;
  return raw;
}

function readWithFlags(args: Args, text: string, defaults: ArgDefaults): RawArgs {
  const raw: RawArgs = {};
  const positionals: string[] = [];
  const words = splitWords(text);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") {
      positionals.push(...words.slice(i + 1));
      break;
    }
    const match = /^(--?)([a-z][\w-]*)(?:=([\s\S]*))?$/i.exec(word);
    if (!match) {
      positionals.push(word);
      continue;
    }
    const found = flagOf(args, match[1]! + match[2]!);
    if (!found) throw new CommandError("usage", `Unknown flag ${match[1]}${match[2]}.`);
    setFlag(raw, found, match[3] ?? (found[1].kind === "flag" ? undefined : words[++i]));
  }
  assignPositionals(args, positionals, raw, defaults);
  return raw;
}

/** The fault for a noun without a valid verb, such as `/channel` or `/channel mut`, which must not be sent as text. */
function nounFault(body: string): Fault | undefined {
  const [first = "", ...more] = body.split(/\s+/);
  const noun = NOUNS[first] ?? first;
  if (!Object.hasOwn(NOUN_WORDS, noun)) return undefined;
  const nestedNoun = `${noun} ${more[0]}`;
  const [path, verb] = Object.hasOwn(NOUN_WORDS, nestedNoun) ? [nestedNoun, more[1]] : [noun, more[0]];
  const subcommands = commands.paths.filter((known) => known.startsWith(`${path} `));
  const verbs = subcommands
    .filter((known) => unavailableReason(known) === undefined)
    .map((known) => known.slice(path.length + 1));
  if (subcommands.length === 0) return undefined;
  if (verbs.length === 0) {
    const secretCommand =
      subcommands.find((known) => commands.row(known).needs === "secret") ?? subcommands[0]!;
    return {
      kind: "fault",
      path,
      message: unavailableReason(secretCommand)!.replaceAll(secretCommand, path),
    };
  }
  const message = verb ? `There is no /${path} ${verb}` : `/${path} needs a subcommand`;
  return { kind: "fault", path, message: `${message}: ${verbs.join(", ")}.` };
}

/** Matches `/word`, but not `/usr/bin`. */
const COMMAND_LIKE = /^\/([a-z][\w-]{0,30})(?:\s|$)/i;

/** The message for an unknown command with similar names; `more` are additional known names. */
export function unknownCommandMessage(name: string, extraNames: readonly string[] = []): string {
  const paths = chatPaths();
  const similar = nearest(
    name.toLowerCase(),
    [
      ...new Set([
        ...extraNames,
        ...Object.keys(ALIASES),
        ...paths,
        ...paths.map((path) => path.split(" ", 1)[0]!),
      ]),
    ],
    paths,
  );
  const suggestion = similar.length > 0 ? `; near it: ${similar.map((each) => `/${each}`).join(", ")}` : "";
  return `There is no /${name} here${suggestion}. As text: //${name}`;
}

/** Parses a submitted line; `//` escapes a leading slash. `providerCommands` are the commands of the channel's config. */
export function readLine(
  text: string,
  defaults: ArgDefaults,
  providerCommands: readonly string[] = [],
): Line {
  if (!text.startsWith("/")) return { kind: "text", text };
  const body = text.slice(1);
  if (body.startsWith("/")) return { kind: "text", text: body };
  const name = /^\S*/.exec(body)![0];
  if (providerCommands.includes(name)) return { kind: "provider", name, text };
  const found = findCommand(body);
  // A mistyped command must not be sent as a message; a path such as /usr/bin may.
  const commandName = COMMAND_LIKE.exec(text)?.[1];
  if (!found)
    return (
      nounFault(body) ??
      (commandName === undefined ? { kind: "text", text } : { kind: "unknown", name: commandName })
    );
  const { args } = commands.row(found.path);
  const unavailable = unavailableReason(found.path);
  if (unavailable !== undefined) return { kind: "fault", path: found.path, message: unavailable };
  try {
    const rest = restArgument(args);
    const raw = rest
      ? readWithRest(args, found.rest, rest[0], defaults)
      : readWithFlags(args, found.rest, defaults);
    return { kind: "command", ...found, values: fillArgs(args, raw, defaults) };
  } catch (error) {
    return faultOf(found.path, error);
  }
}

/** Whether a command should not run without arguments. */
export const needsArguments = (path: string): boolean =>
  positionalRows(commands.find(path)?.args ?? {}).some(
    ([, row]) => isRequired(row) || defaultMessageOf(row) !== undefined || row.positional === "rest",
  );

/** The flags that are shown in the chat line: those about files of many items are for scripts. */
export const chatFlags = (args: Args): NamedRow[] => flagRows(args).filter(([, row]) => !row.forFiles);

/** `/channel mute [channel] [--until time]`, for help below the composer. */
export function usageLine(path: string): string {
  const command = commands.find(path);
  if (!command) return "";
  const positionals = positionalRows(command.args).map((row) =>
    defaultMessageOf(row[1])
      ? positionalUsage([row[0], { ...row[1], optional: true }])
      : positionalUsage(row),
  );
  const flags = chatFlags(command.args).map(([name, row]) =>
    row.kind === "flag" ? `[--${flagName(name)}]` : `[--${flagName(name)} …]`,
  );
  // Flags after free text would be part of the text.
  const parts = restArgument(command.args)
    ? [...(flags.length ? ["[flags]"] : []), ...positionals]
    : [...positionals, ...flags];
  return [`/${path}`, ...parts].join(" ");
}
