/** Writes the file of `parley doctor --report`: diagnostics without names, hosts, texts or secrets. */
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { cacheDir, configDir, logFile, stateDir } from "../../../config/paths.ts";
import { SETTINGS, settingKeys } from "../../../config/settings.ts";
import { writeNew } from "../../../commands/base/files/write-new.ts";
import type { Shell } from "../../base/shell.ts";

/** How many of the newest lines of a log are included. */
const MAX_LOG_LINES = 300;
/** How many bytes at the end of a log are searched for them. */
const LOG_TAIL_BYTES = 512 * 1024;
const MAX_FILES = 500;

export const WHAT_IS_IN_IT = [
  "versions, platform, terminal and settings (names, and values that are not free text)",
  "what parley doctor found, without names of people, channels and hosts",
  "names, sizes, modes and times of Parley's own files, without names of people and profiles",
  "the last lines of the logs: time, level, operation, request id and stack frames, without error messages",
  "no token, no key, no secret, no text of a message, no name",
];

export interface DoctorFinding {
  check: string;
  state: "ok" | "warning" | "fault";
  message: string;
  hint?: string;
  exit?: number;
}

/** Writes the report, readable by its owner only, and returns its path. Throws `CommandError` (conflict) if the file exists. */
export async function writeReport(
  shell: Shell,
  findings: readonly DoctorFinding[],
  requestedFile?: string,
): Promise<string> {
  const now = new Date(shell.host.now()).toISOString();
  const file = path.resolve(requestedFile ?? `parley-report-${now.replace(/[-:]|\.\d+/g, "")}.json`);
  const clean = anonymizer(await namesOf(shell));
  const report = {
    what_is_in_it: WHAT_IS_IN_IT,
    made_at: now,
    versions: { parley: shell.host.version, node: process.versions.node, sqlite: process.versions.sqlite },
    platform: { os: process.platform, arch: process.arch },
    terminal: terminalOf(shell),
    settings: settingsOf(shell),
    findings: findings.map((finding) => cleanValues(finding, clean)),
    provider: await providerOf(shell),
    files: filesOf(shell, clean),
    logs: { parley: logOf(logFile(shell.env), clean), provider: logOf(providerLog(shell), clean) },
  };
  await writeNew(file, `${JSON.stringify(report, null, 2)}\n`, shell.flags.dryRun === true);
  return file;
}

const providerLog = (shell: Shell): string => path.join(shell.host.local.folder, "provider.log");

function terminalOf({ env, tty }: Shell): object {
  const { TERM, TERM_PROGRAM, COLORTERM, LANG, LC_ALL } = env;
  return { TERM, TERM_PROGRAM, COLORTERM, LANG, LC_ALL, tmux: Boolean(env.TMUX), columns: tty.columns };
}

/** The changed settings; free text, which may be a name or an address, is replaced by "(set)". */
function settingsOf(shell: Shell): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const key of settingKeys) {
    const value = shell.settings[key];
    const { type, default: initial } = SETTINGS[key];
    if (value !== initial) changed[key] = type === "text" || type === "proxy" ? "(set)" : value;
  }
  return changed;
}

async function providerOf(shell: Shell): Promise<object> {
  const look = await shell.host.local.probe();
  if (look.state !== "running") return look;
  const { state, version, pid } = look;
  return { state, version, pid };
}

/** The names of users, profiles, hosts and folders of this machine, with their replacements. */
async function namesOf(shell: Shell): Promise<[name: string, tag: string][]> {
  const { env } = shell;
  // If the profile cannot be read, there are fewer names to hide.
  const nobody = { profile: "", user: "", url: "" };
  const { profile, user, url } = await shell.host.identity().catch(() => nobody);
  const names: [string | undefined, string][] = [
    [shell.host.local.folder, "<provider>"],
    [stateDir(env), "<state>"],
    [cacheDir(env), "<cache>"],
    [configDir(env), "<config>"],
    [env.HOME, "~"],
    [URL.canParse(url) && !/127\.0\.0\.1|localhost/.test(url) ? new URL(url).host : undefined, "<host>"],
    [user, "<user>"],
    [shell.host.profileOf(profile)?.user, "<user>"],
    [env.USER, "<user>"],
    [profile === "local" ? undefined : profile, "<profile>"],
  ];
  return names.filter((row): row is [string, string] => row[0] !== undefined && row[0].length > 1);
}

const PATTERNS: [RegExp, string][] = [
  [/(?<![\w.-])eyJ[\w.-]+/g, "<token>"],
  [/\b(api_key|token|secret|authorization|password)([=:]\s*)[^\s&",]+/gi, "$1$2<secret>"],
  [/\b(https?|wss?):\/\/(?!127\.0\.0\.1|localhost)[^\s/"')]+/gi, "$1://<host>"],
  [/(?<![\w.+-])[\w.+-]+@[\w.-]+/g, "<mail>"],
  [/\b(messaging|team|livestream|gaming|commerce):[^\s"',)]+/g, "$1:<channel>"],
];

function anonymizer(names: readonly [string, string][]): (text: string) => string {
  return (text) => {
    const masked = PATTERNS.reduce((result, [pattern, tag]) => result.replace(pattern, tag), text);
    return names.reduce((result, [name, tag]) => replaceWord(result, name, tag), masked);
  };
}

/** Replaces whole words only: a short name may be part of many words. */
function replaceWord(text: string, name: string, tag: string): string {
  const isWordCharacter = (c: string | undefined): boolean => c !== undefined && /[A-Za-z0-9]/.test(c);
  return text.replaceAll(name, (found, at: number) =>
    isWordCharacter(text[at - 1]) || isWordCharacter(text[at + name.length]) ? found : tag,
  );
}

const cleanValues = (row: object, clean: (text: string) => string): object =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === "string" ? clean(value) : value]),
  );

/** The program's files; folder names are replaced, because folders of a profile are named after users. */
function filesOf(shell: Shell, clean: (text: string) => string): object[] {
  const { env } = shell;
  const roots = {
    config: configDir(env),
    state: stateDir(env),
    cache: cacheDir(env),
    provider: shell.host.local.folder,
  };
  return Object.entries(roots).flatMap(([root, folder]) =>
    listed(folder).map((name) => {
      const { size, mode, mtime } = statSync(path.join(folder, name));
      const parts = name.split(path.sep);
      const hidden = parts.map((part, n) =>
        n === parts.length - 1 ? shownFileName(root, parts, part) : `<${n + 1}>`,
      );
      return {
        root,
        name: clean(hidden.join("/")),
        size,
        mode: (mode & 0o777).toString(8),
        changed: mtime.toISOString(),
      };
    }),
  );
}

/** Hides the names of uploads and snapshots, which users chose. */
const shownFileName = (root: string, parts: string[], name: string): string =>
  root === "provider" && parts.length > 1 ? "<file>" : name;

function listed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .slice(0, MAX_FILES);
  } catch {
    return [];
  }
}

/** The last log rows, reduced to fields that the program fills itself: messages of libraries may contain private text. */
function logOf(file: string, clean: (text: string) => string): object[] {
  return lastLines(file).flatMap((line) => {
    try {
      const row = JSON.parse(line) as Record<string, unknown>;
      const { time, level, pid, text, op, status, request, stack } = row;
      return [
        cleanValues(
          {
            time,
            level,
            pid,
            text,
            op,
            status,
            request,
            ...(typeof stack === "string" ? { at: framesOf(stack) } : {}),
          },
          clean,
        ),
      ];
    } catch {
      return [];
    }
  });
}

/** The error type and the stack frames; the message is left out because it may contain private text. */
function framesOf(stack: string): string {
  const [first = "", ...lines] = stack.split("\n");
  const frames = lines.filter((line) => /^ +at \S[^"']{0,300}:\d+:\d+\)?$/.test(line));
  return [/^\w+/.exec(first)?.[0] ?? "Error", ...frames].join("\n");
}

function lastLines(file: string): string[] {
  try {
    return readFileSync(file).subarray(-LOG_TAIL_BYTES).toString("utf8").split("\n").slice(-MAX_LOG_LINES);
  } catch {
    return [];
  }
}
