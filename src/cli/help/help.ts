/** Formats the help pages, 80 columns wide. */
import { flagName, flagRows, positionalRows, positionalUsage } from "../../commands/base/args.ts";
import type { DescribedRow } from "../../commands/base/command-table.ts";
import { NOUNS, inOrder } from "../../commands/nouns.ts";
import type { ArgRow, HelpGroup } from "../../commands/base/define-command.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { EXITS } from "../base/exit.ts";
import { GLOBALS, shownFlags, type GlobalFlag } from "../base/globals.ts";
import { exitsOf, notableCodes } from "./exits.ts";
import { listedLines, type ListedLine } from "./listing.ts";

const WIDTH = 80;

/** `  name   words` rows; the words are wrapped and aligned. */
function columns(rows: readonly (readonly [string, string])[], limit = 30): string {
  const width = Math.min(limit, Math.max(...rows.map(([name]) => name.length))) + 4;
  return rows
    .map(([name, words]) => {
      const head = `  ${name}`;
      const first = head.length + 2 > width ? `${head}\n${" ".repeat(width)}` : head.padEnd(width);
      return `${first}${wrap(words, WIDTH - width).join(`\n${" ".repeat(width)}`)}`.trimEnd();
    })
    .join("\n");
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  lines.push(line);
  return lines;
}

/** `--since <time>`, with room for the short form before it. */
function flagWords(name: string, row: ArgRow): string {
  const value = row.value ?? (row.choices?.join("|") || VALUES[row.kind] || "text");
  return `${row.short ? `-${row.short}, ` : "    "}--${flagName(name)}${row.kind === "flag" ? "" : ` <${value}>`}`;
}

const VALUES: Partial<Record<ArgRow["kind"], string>> = {
  number: "n",
  channel: "channel",
  user: "user",
  message: "message",
  file: "file",
  time: "time",
  duration: "time",
};

export function usageOf(tree: CommandTree, path: string): string {
  const { args } = tree.definition(path);
  return ["parley", path, ...positionalRows(args).map(positionalUsage), "[flags]"].join(" ");
}

export function examplesOf(tree: CommandTree, path: string): string[] {
  return (tree.definition(path).examples ?? []).map((line) =>
    line.includes("parley ") ? line : `parley ${line}`.trimEnd(),
  );
}

const GROUPS = ["Where", "Output", "Lists", "Safety", "Network", "Talk"] as const;

function globalFlags(): string {
  return GROUPS.map((group) => {
    const rows = (GLOBALS as readonly GlobalFlag[])
      .filter((row) => row.group === group)
      .map((row) => {
        const words = shownFlags(row);
        return [words.startsWith("--") ? `    ${words}` : words, row.help] as const;
      });
    return `${group}:\n${columns(rows, 26)}`;
  }).join("\n");
}

/** Breaks a long example before a flag or a pipe, with a backslash for the shell. */
function wrapExample(example: string): string {
  const lines: string[] = [];
  let line = "";
  for (const part of example.split(/ (?=--?[a-z]|\| )/)) {
    if (line && line.length + part.length > WIDTH - 8) {
      lines.push(line);
      line = part;
    } else line = line ? `${line} ${part}` : part;
  }
  return [...lines, line].join(" \\\n      ");
}

export function commandHelp(tree: CommandTree, path: string): string {
  const definition = tree.definition(path);
  const { args } = definition;
  const parts = [`${definition.summary}.`];
  if (tree.needsSecret(path)) parts.push(SECRET);
  parts.push(`Usage:\n  ${usageOf(tree, path)}`);
  const examples = examplesOf(tree, path);
  if (examples.length)
    parts.push(`Examples:\n${examples.map((line) => `  $ ${wrapExample(line)}`).join("\n")}`);
  const positionals = positionalRows(args);
  if (positionals.length)
    parts.push(
      `Arguments:\n${columns(positionals.map(([name, row]) => [flagName(name), withChoices(row)]))}`,
    );
  const flags = flagRows(args);
  if (flags.length)
    parts.push(`Flags:\n${columns(flags.map(([name, row]) => [flagWords(name, row), row.help] as const))}`);
  if (tree.mayAskFirst(path)) parts.push(wrap(asksWords(definition), WIDTH).join("\n"));
  const codes = notableCodes(exitsOf(tree, path));
  if (codes.length)
    parts.push(
      `Exit codes of its own:\n${columns(EXITS.filter(({ code }) => codes.includes(code)).map(({ code, words }) => [String(code), words] as const))}`,
    );
  const noun = path.slice(0, path.lastIndexOf(" ") + 1);
  if (definition.aliases?.length)
    parts.push(`Aliases: ${definition.aliases.map((alias) => `parley ${noun}${alias}`).join(", ")}`);
  parts.push(MORE);
  return `${parts.join("\n\n")}\n`;
}

/** Adds the choices to the help of a positional argument; those of a flag are printed as its value. */
function withChoices(row: ArgRow): string {
  const { choices } = row;
  return choices && !choices.every((choice) => row.help.includes(choice))
    ? `${row.help}: ${choices.join(", ")}`
    : row.help;
}

/** The rows of a command list; a star marks commands that need the secret. */
const commandRows = (tree: CommandTree, paths: readonly string[], from = 0): (readonly [string, string])[] =>
  paths.map((path) => {
    const name = path.slice(from);
    return [tree.needsSecret(path) ? `${name} *` : name, tree.definition(path).summary];
  });

export function nounHelp(tree: CommandTree, noun: string): string {
  const paths = tree.visibleUnder(noun);
  const rows = commandRows(tree, paths, noun.length + 1);
  const others = Object.keys(NOUNS).filter((alias) => NOUNS[alias] === noun);
  return [
    `${tree.nouns[noun] ?? `Commands of ${noun}`}.`,
    `Usage:\n  parley ${noun} <command> [flags]`,
    `Commands:\n${columns(rows)}`,
    ...(paths.some((path) => tree.needsSecret(path)) ? [`* ${SECRET}`] : []),
    ...(others.length ? [`Aliases: ${others.map((other) => `parley ${other}`).join(", ")}`] : []),
    `Help on one of them: parley ${noun} <command> --help`,
  ]
    .join("\n\n")
    .concat("\n");
}

/** What fits into one line. */
function oneLine(text: string, width: number): string {
  const [first = "", ...more] = wrap(text, width);
  return more.length === 0 ? first : `${wrap(text, width - 2)[0]!.replace(/[,;]$/, "")} …`;
}

/** A line of the short list: `channel mute, unmute, muted`. */
function lineRow(tree: CommandTree, { paths }: ListedLine): readonly [string, string] {
  const [[first, summary]] = commandRows(tree, paths.slice(0, 1)) as [[string, string]];
  const verbs = paths.slice(1).map((path) => `, ${path.slice(path.lastIndexOf(" ") + 1)}`);
  return [first.replace(/( \*)?$/, `${verbs.join("")}$1`), summary];
}

/** The commands with their summaries, in the order of the root help; `all` also those that few need, each in a line. */
export function everyCommand(tree: CommandTree, all = false): string {
  const visible = tree.visiblePaths();
  const blocks = groups(tree).map(({ title, words }) => {
    const paths = words.flatMap((word) =>
      visible.filter((path) => path === word || path.startsWith(`${word} `)),
    );
    const rows = all ? commandRows(tree, paths) : listedLines(tree, paths).map((line) => lineRow(tree, line));
    if (all) return `${title}:\n${columns(rows)}`;
    const width = Math.max(...rows.map(([name]) => name.length)) + 4;
    return `${title}:\n${columns(
      rows.map(([name, words]) => [name, oneLine(words, WIDTH - width)] as const),
      WIDTH,
    )}`;
  });
  return [
    all ? "Every command." : "The commands, of which some share a line.",
    ...blocks,
    `* ${SECRET}`,
    `${all ? "" : "All of them: parley help commands --all, or parley help <noun>\n"}Help on a command, with examples: parley <command> --help`,
  ]
    .join("\n\n")
    .concat("\n");
}

const SECRET = "Needs the app's secret: parley help ops.";
const MORE = `Flags of every command (--json, --limit, --dry-run, …): parley help flags
Meaning of the exit codes: parley help exit-codes`;

/** Which confirmation is asked for, and which word. */
function asksWords({ confirmWord }: Pick<DescribedRow, "confirmWord">): string {
  const asks = "Asks for confirmation first";
  if (confirmWord === undefined) return `${asks}: --yes answers beforehand.`;
  const { word, only } = confirmWord;
  const typed = `the word to type is ${word}, and --confirm <word> answers beforehand`;
  return only === undefined ? `${asks}: ${typed}.` : `${asks}: --yes answers beforehand. ${only} ${typed}.`;
}

interface HelpSection {
  title: string;
  words: readonly string[];
  /** The help topic to see; the root help prints only the names of such a group. */
  brief?: string;
}

/** The groups of the root help; `words` are listed in this order, the others of the group follow by name. */
const GROUPED: readonly (Omit<HelpSection, "words"> & { group: HelpGroup; words: string })[] = [
  { group: "Daily", title: "Every day", words: "chat send tail notify whoami search unread upload" },
  {
    group: "Talking",
    title: "Talking",
    words: "channel message thread poll location reminder draft outbox link file event archive export",
  },
  { group: "People", title: "People", words: "user member push device" },
  { group: "Moderation", title: "Moderation", words: "moderation blocklist" },
  {
    group: "Operations",
    title: "Running an app (mostly needs the app's secret)",
    words: "app plan apply channel-type role permission command campaign segment import task gdpr limits",
    brief: "parley help ops",
  },
  {
    group: "Scripts",
    title: "For scripts",
    words: "ask wait api describe screen mcp audit history webhook token",
  },
  { group: "Local", title: "The embedded provider (no account, no network)", words: "serve local" },
  { group: "Setup", title: "Setting up", words: "login logout profile config alias doctor completion help" },
];

/** All groups of the root help; every first word of the tree is in the group that its noun or its definition names. */
export function groups(tree: CommandTree): HelpSection[] {
  const firstWords = [...new Set(tree.visiblePaths().map((path) => path.split(" ", 1)[0]!))];
  return GROUPED.map(({ group, words, ...texts }) => {
    const members = firstWords.filter((word) => tree.groupOf(word) === group);
    return { ...texts, words: inOrder(members, words.split(" ")) };
  });
}

export function rootHelp(tree: CommandTree): string {
  const all = groups(tree);
  const width = Math.max(
    ...all.flatMap((group) => (group.brief ? [] : group.words.map((word) => word.length))),
  );
  return [
    "Parley: chat in the terminal, for people and scripts.",
    "Usage:\n  parley [flags]                open the chat screen\n  parley <command> [flags]",
    `Examples:\n${columns(EXAMPLES, 50)}`,
    ...all.map((group) =>
      group.brief
        ? `${group.title}:\n  ${wrap(group.words.join(", "), WIDTH - 2).join("\n  ")}\n  see ${group.brief}`
        : `${group.title}:\n${columns(
            group.words.map(
              (word) => [word.padEnd(width), tree.nouns[word] ?? tree.definition(word).summary] as const,
            ),
          )}`,
    ),
    `Flags of the screen:\n${columns(
      flagRows(tree.definition("chat").args).map(
        ([name, row]) => [flagWords(name, row).trimStart(), row.help] as const,
      ),
    )}`,
    `Learn more:
  parley <command> --help       help on a command, with examples
  parley help commands          the commands; --all: every one
  parley help flags             flags of every command
  parley help topics            scripting, formatting, exit codes, environment, …`,
    "There is no telemetry.",
  ]
    .join("\n\n")
    .concat("\n");
}

const EXAMPLES: readonly (readonly [string, string])[] = [
  ["$ parley", "a demo workspace on this machine"],
  ["$ parley --as bob", "a second person, in a second terminal"],
  ["$ parley send '#general' hello", ""],
  ["$ make 2>&1 | parley send '#builds' -", "standard input as one message"],
  ["$ parley tail '#general'", "print messages as they arrive"],
  ["$ parley channel list --json", ""],
];

export const flagsHelp = (): string => `Flags of every command.\n\n${globalFlags()}\n`;
