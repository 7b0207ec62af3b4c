/** Help pages: summary, usage, examples first, arguments, flags by group; 80 columns. */
import { flagName } from "../commands/args.ts";
import { NOUNS, NOUN_WORDS, commands } from "../commands/index.ts";
import type { ArgRow, Args } from "../commands/kit.ts";
import { GLOBALS } from "./globals.ts";
import type { GlobalFlag } from "./globals.ts";
import { OWN, OWN_NOUN_WORDS } from "./own/index.ts";

const WIDTH = 80;

/** `  name   words`, the words wrapped and aligned. */
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

function usageWord(name: string, args: Args): string {
  const row = args[name]!;
  const word = `${flagName(name)}${row.kind === "list" || row.place === "rest" ? "…" : ""}`;
  return row.optional || row.here || row.default !== undefined ? `[${word}]` : `<${word}>`;
}

/** `--since <time>`, with room for the short form before it. */
export function flagWords(name: string, row: ArgRow): string {
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
};

export function usageOf(path: string): string {
  const { args } = (OWN[path] ?? commands[path])!;
  const places = Object.keys(args).filter((name) => args[name]!.place !== "flag");
  return ["parley", path, ...places.map((name) => usageWord(name, args)), "[flags]"].join(" ");
}

export function examplesOf(path: string): string[] {
  return ((OWN[path] ?? commands[path])!.examples ?? []).map((line) =>
    line.includes("parley ") ? line : `parley ${line}`.trimEnd(),
  );
}

const GROUPS = ["Where", "Output", "Lists", "Safety", "Network", "Talk"] as const;

function globalFlags(): string {
  return GROUPS.map((group) => {
    const rows = (GLOBALS as readonly GlobalFlag[])
      .filter((row) => row.group === group)
      .map((row) => {
        const words = row.flags.replace(/ \[(\w+)\]/, "[=$1]");
        return [words.startsWith("--") ? `    ${words}` : words, row.help] as const;
      });
    return `${group}:\n${columns(rows, 26)}`;
  }).join("\n");
}

export function commandHelp(path: string): string {
  const definition = (OWN[path] ?? commands[path])!;
  const { args } = definition;
  const parts = [`${definition.summary}.`, `Usage:\n  ${usageOf(path)}`];
  const examples = examplesOf(path);
  if (examples.length) parts.push(`Examples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
  const places = Object.entries(args).filter(([, row]) => row.place !== "flag");
  if (places.length)
    parts.push(`Arguments:\n${columns(places.map(([name, row]) => [flagName(name), row.help] as const))}`);
  const flags = Object.entries(args).filter(([, row]) => row.place === "flag");
  if (flags.length)
    parts.push(`Flags:\n${columns(flags.map(([name, row]) => [flagWords(name, row), row.help] as const))}`);
  const noun = path.slice(0, path.lastIndexOf(" ") + 1);
  if (definition.aliases?.length)
    parts.push(`The same: ${definition.aliases.map((alias) => `parley ${noun}${alias}`).join(", ")}`);
  parts.push(MORE);
  return `${parts.join("\n\n")}\n`;
}

export function nounHelp(noun: string): string {
  const rows = [...Object.keys(OWN), ...Object.keys(commands)]
    .filter((path) => path.startsWith(`${noun} `))
    .map((path) => [path.slice(noun.length + 1), (OWN[path] ?? commands[path])!.summary] as const);
  const others = Object.keys(NOUNS).filter((alias) => NOUNS[alias] === noun);
  return [
    `${NOUN_WORDS[noun] ?? OWN_NOUN_WORDS[noun] ?? `Commands of ${noun}`}.`,
    `Usage:\n  parley ${noun} <command> [flags]`,
    `Commands:\n${columns(rows)}`,
    ...(others.length ? [`The same: ${others.map((other) => `parley ${other}`).join(", ")}`] : []),
    `More on one of them: parley ${noun} <command> --help`,
  ]
    .join("\n\n")
    .concat("\n");
}

const MORE = `Flags of every command (--json, --limit, --dry-run, …): parley help flags
What the exit codes mean: parley help exit-codes`;

export function rootHelp(): string {
  const own = (group: string): (readonly [string, string])[] => [
    ...Object.entries(OWN)
      .filter(([path, row]) => row.group === group && !row.hidden && !path.includes(" "))
      .map(([path, row]) => [path, row.summary] as const),
    ...Object.entries(OWN_NOUN_WORDS)
      .filter(([noun]) =>
        Object.entries(OWN).some(([path, row]) => path.startsWith(`${noun} `) && row.group === group),
      )
      .map(([noun, words]) => [noun, words] as const),
  ];
  const service = [
    ...Object.entries(NOUN_WORDS),
    ...Object.entries(commands)
      .filter(([path]) => !path.includes(" "))
      .map(([path, row]) => [path, row.summary] as const),
  ];
  const groups: [string, (readonly [string, string])[]][] = [
    ["Every day", own("Daily")],
    ["Messages, channels and people", service],
    ["For programs", own("Scripts")],
    ["The embedded provider (no account, no network)", own("Local")],
    ["Setting up", own("Setup")],
  ];
  const width = Math.max(...groups.flatMap(([, rows]) => rows.map(([name]) => name.length)));
  return [
    "Parley: chat in the terminal, for people and for scripts.",
    "Usage:\n  parley [flags]                open the chat screen\n  parley <command> [flags]",
    `Examples:\n${columns(EXAMPLES, 50)}`,
    ...groups.map(
      ([title, rows]) =>
        `${title}:\n${columns(rows.map(([name, words]) => [name.padEnd(width), words] as const))}`,
    ),
    `Flags of the screen:\n${columns(
      Object.entries(OWN.chat!.args)
        .filter(([, row]) => row.place === "flag")
        .map(([name, row]) => [flagWords(name, row).trimStart(), row.help] as const),
    )}`,
    `Read on:
  parley <command> --help       one command, with examples
  parley help flags             the flags that every command takes
  parley help topics            scripting, formatting, exit codes, environment, …`,
    "Nothing is reported to anybody: there is no telemetry.",
  ]
    .join("\n\n")
    .concat("\n");
}

const EXAMPLES: readonly (readonly [string, string])[] = [
  ["$ parley", "a demo workspace on this machine"],
  ["$ parley --as bob", "somebody else, in a second terminal"],
  ["$ parley send '#general' hello", ""],
  ["$ make 2>&1 | parley send '#builds' -", "standard input as one message"],
  ["$ parley tail '#general'", "what is said, as it is said"],
  ["$ parley channel list --json", ""],
];

export const flagsHelp = (): string => `Flags of every command.\n\n${globalFlags()}\n`;
