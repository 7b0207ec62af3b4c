/** The global flags: one table for parsing, help, completion and docs. */
import type { SettingKey } from "../../config/settings.ts";

export interface GlobalFlag {
  /** `-p, --profile <name>` as commander reads it. */
  flags: string;
  group: "Where" | "Output" | "Lists" | "Safety" | "Network" | "Talk";
  help: string;
  setting?: SettingKey;
  choices?: readonly string[];
}

/** A flag as help prints it: an optional value follows `=`. */
export const shownFlags = ({ flags }: Pick<GlobalFlag, "flags">): string =>
  flags.replace(/ \[(\w+)\]/, "[=$1]");

export const GLOBALS = [
  { flags: "-p, --profile <name>", group: "Where", help: "Use this profile", setting: "profile" },
  {
    flags: "--as <user>",
    group: "Where",
    help: "Act as this user (the profile must hold a secret)",
    setting: "user",
  },
  {
    flags: "--json [fields]",
    group: "Output",
    help: "Print JSON, an array for lists; --json=a,b.c selects fields",
  },
  { flags: "--fields", group: "Output", help: "List the fields that --json= and --template may name" },
  { flags: "--ndjson [fields]", group: "Output", help: "Print one JSON object per line" },
  {
    flags: "--slurp",
    group: "Output",
    help: "Print one JSON document, whatever the number of pages (lists: as --json)",
  },
  { flags: "--csv", group: "Output", help: "Print CSV with a header line" },
  { flags: "--table", group: "Output", help: "Print a table, even in a pipe" },
  {
    flags: "--jq <filter>",
    group: "Output",
    help: "Filter each item with jq (with --json: the whole document)",
  },
  {
    flags: "--template <text>",
    group: "Output",
    help: "Print each item with a template: '{{cid}}\\t{{name}}'",
  },
  {
    flags: "--raw",
    group: "Output",
    help: "Keep control characters in the data when piped",
  },
  { flags: "--exit-status", group: "Output", help: "Exit 3 when the result is empty" },
  {
    flags: "--limit <n>",
    group: "Lists",
    help: "Maximum number of items, across pages (30)",
    setting: "limit",
  },
  { flags: "--all", group: "Lists", help: "List all items" },
  { flags: "--page-size <n>", group: "Lists", help: "Items per request" },
  { flags: "--next <cursor>", group: "Lists", help: "Continue where an earlier run stopped" },
  {
    flags: "-n, --dry-run",
    group: "Safety",
    help: "Check everything and show what would be sent, but store nothing",
  },
  {
    flags: "--all-calls",
    group: "Safety",
    help: "Show every call of a dry run, not only the first of many",
  },
  { flags: "-y, --yes", group: "Safety", help: "Answer yes to questions" },
  { flags: "--confirm <word>", group: "Safety", help: "Answer a question that requires typing a word" },
  {
    flags: "--non-interactive",
    group: "Safety",
    help: "Never prompt; a question fails with exit code 2",
    setting: "nonInteractive",
  },
  { flags: "--insecure", group: "Safety", help: "Accept a credentials file readable by others" },
  {
    flags: "--timeout <time>",
    group: "Network",
    help: "Time limit of one request (3s) or a stalled upload (30s)",
    setting: "timeout",
  },
  {
    flags: "--retries <n>",
    group: "Network",
    help: "How often a failed read is retried (2)",
    setting: "retries",
  },
  {
    flags: "--max-wait <time>",
    group: "Network",
    help: "How long a send waits for the network or a reply (30s)",
    setting: "maxWait",
  },
  {
    flags: "--transport <way>",
    group: "Network",
    help: "Transport of live events: auto, websocket or longpoll",
    setting: "transport",
    choices: ["auto", "websocket", "longpoll"],
  },
  { flags: "-q, --quiet", group: "Talk", help: "Print only errors on standard error" },
  { flags: "-v, --verbose", group: "Talk", help: "Print what is done and how long it takes" },
  { flags: "--debug [what]", group: "Talk", help: "Print each request, with secrets redacted (http)" },
  {
    flags: "--color <when>",
    group: "Talk",
    help: "Use colour: auto, always or never",
    setting: "color",
    choices: ["auto", "always", "never"],
  },
  { flags: "--utc", group: "Talk", help: "Show times in tables in UTC", setting: "utc" },
  { flags: "--no-pager", group: "Talk", help: "Never open a pager" },
  {
    flags: "--progress <how>",
    group: "Talk",
    help: "Progress on standard error: auto, bar, plain, json or none",
    setting: "progress",
    choices: ["auto", "bar", "plain", "json", "none"],
  },
] as const satisfies readonly GlobalFlag[];

export interface Flags {
  profile?: string;
  as?: string;
  json?: string;
  fields?: boolean;
  ndjson?: string;
  slurp?: boolean;
  csv?: boolean;
  table?: boolean;
  jq?: string;
  template?: string;
  raw?: boolean;
  exitStatus?: boolean;
  limit?: string;
  all?: boolean;
  pageSize?: string;
  next?: string;
  dryRun?: boolean;
  allCalls?: boolean;
  yes?: boolean;
  confirm?: string;
  nonInteractive?: boolean;
  insecure?: boolean;
  timeout?: string;
  retries?: string;
  maxWait?: string;
  transport?: string;
  quiet?: boolean;
  verbose?: boolean;
  debug?: string;
  color?: string;
  utc?: boolean;
  pager?: boolean;
  progress?: string;
  theme?: string;
  plain?: boolean;
  [other: string]: unknown;
}

const FLAGS_WITH_VALUE: ReadonlySet<string> = new Set(
  (GLOBALS as readonly GlobalFlag[]).flatMap(({ flags }) =>
    flags.includes("<") ? (flags.match(/-[\w-]+/g) ?? []) : [],
  ),
);

/** Whether a word is the name of a global flag: `-q`, `--quiet`. */
export const isGlobalFlag = (word: string): boolean =>
  GLOBALS.some(({ flags }) => flags.split(/[ ,]+/).includes(word));

/** Whether a global flag takes the next word as its value. */
export const takesValue = (flag: string): boolean => FLAGS_WITH_VALUE.has(flag);

/** Flags with an optional value, which must follow `=` so that a bare flag never takes the next word (specification/command-line.md §3). */
const OPTIONAL_VALUE = new Set(["--json", "--ndjson", "--debug"]);

/** Writes a bare flag with an optional value as `--flag=`. */
export function closeOptionalValues(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, i) => ((end < 0 || i < end) && OPTIONAL_VALUE.has(word) ? `${word}=` : word));
}

/** The word after a bare `--json` or `--ndjson`, which is not its value. */
export function wordAfterJson(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((each) => each === "--json" || each === "--ndjson");
  const word = at < 0 ? undefined : argv[at + 1];
  return word?.startsWith("-") ? undefined : word;
}

/** `--slurp` asks for one document, which `--json` is: with the fields of `--ndjson`, and for `--jq` as its input. */
export function slurpFlags(flags: Flags): void {
  if (!flags.slurp) return;
  flags.json ??= flags.ndjson ?? "";
  delete flags.ndjson;
}

/** The flags of the command line that override settings, by setting. */
export function settingFlags(flags: Flags): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const row of GLOBALS as readonly GlobalFlag[]) {
    if (!row.setting) continue;
    const name = /--([\w-]+)/
      .exec(row.flags)![1]!
      .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (flags[name] !== undefined) out[row.setting] = flags[name];
  }
  for (const name of ["theme", "plain"] as const) if (flags[name] !== undefined) out[name] = flags[name];
  return out;
}
