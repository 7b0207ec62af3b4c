/** `parley __complete`: completes command lines from the command tables and the names stored on disk, without the network. */
import {
  channelAmong,
  flagName,
  flagOf,
  flagRows,
  positionalRows,
  takesCommas,
  type NamedRow,
} from "../../commands/base/args.ts";
import { type ArgRow, type Args, command } from "../../commands/base/define-command.ts";
import { NAME_KINDS, emptyNames, readNames, type NameKind, type Names } from "../../config/names.ts";
import { appOfProfile, findAppFolder } from "../../config/app-folders.ts";
import { loadSettings } from "../../config/load.ts";
import { providerDir } from "../../config/paths.ts";
import { findProfile, listProfiles } from "../../config/profiles.ts";
import { isSettingKey, SETTINGS, settingKeys, type SettingRow } from "../../config/settings.ts";
import { listExtensions, type Extension } from "../../config/extensions.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { localKeyOf } from "../../model/files/local-key.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { GLOBALS, type GlobalFlag } from "../base/globals.ts";
import { knownFields } from "../output/fields.ts";
import { TOPICS } from "../help/topics.ts";
import { write } from "../base/stdio.ts";
import type { Shell } from "../base/shell.ts";

type Candidate = readonly [value: string, words: string];

interface CompletionData {
  tree: CommandTree;
  extensions: readonly Extension[];
  names: Names;
  profiles: string[];
  /** The channel type of `#id`. */
  channelType: string;
}

const globalFlag = (word: string): GlobalFlag | undefined =>
  (GLOBALS as readonly GlobalFlag[]).find((row) => row.flags.split(/[ ,=]+/).includes(word));

const withoutDescriptions = (values: readonly string[]): Candidate[] =>
  values.map((value): Candidate => [value, ""]);

const isNamed = (kind: string): kind is NameKind => (NAME_KINDS as readonly string[]).includes(kind);

/** The kind of values: of lists and texts, it follows from the value label or the name. */
function kindOf(name: string, row: ArgRow): string {
  if (row.kind !== "list" && row.kind !== "text") return row.kind;
  // An argument called `type` may be a reaction or event type; a channel type has its own value label.
  return row.value ?? (name === "type" ? row.kind : name.replace(/s$/, ""));
}

function valuesOf(entry: NamedRow | undefined, data: CompletionData): Candidate[] {
  if (entry?.[1].choices) return withoutDescriptions(entry[1].choices);
  const kind = entry && kindOf(...entry);
  if (kind === "channel") return channelValues(data);
  return kind !== undefined && isNamed(kind) ? data.names[kind] : [];
}

function channelValues({ names, channelType }: CompletionData): Candidate[] {
  const short = names.channel.filter(([cid]) => cid.startsWith(`${channelType}:`));
  return [
    ...names.channel,
    ...short.map(([cid, name]): Candidate => [`#${cid.slice(channelType.length + 1)}`, name]),
    ...names.user.map(([id, name]): Candidate => [`@${id}`, name]),
  ];
}

function globalValues(row: GlobalFlag, data: CompletionData): Candidate[] {
  if (row.setting === "profile") return withoutDescriptions(data.profiles);
  if (row.setting === "user") return data.names.user;
  return withoutDescriptions(row?.choices ?? []);
}

/** The words before the one that is completed. */
interface ParsedLine {
  tree: CommandTree;
  /** The path of the command, or "" if it is incomplete. */
  path: string;
  plain: string[];
  /** The flag whose value comes next. */
  pendingFlag?: { row: NamedRow } | { global: GlobalFlag };
}

function parseLine(tree: CommandTree, before: readonly string[]): ParsedLine {
  const typed: ParsedLine = { tree, path: "", plain: [] };
  for (let i = 0; i < before.length; i++) {
    const word = before[i]!;
    if (!word.startsWith("-") || word === "-") {
      typed.plain.push(word);
      const named = tree.pathOf(typed.plain);
      if (typed.path === "" && tree.find(named)) typed.path = named;
      continue;
    }
    // None is found for `--flag=value`, whose value is in it.
    const row = flagOf(argsOf(typed), word);
    const global = globalFlag(word);
    const takesValue = row ? row[1].kind !== "flag" : global?.flags.includes("<");
    if (!takesValue) continue;
    if (i === before.length - 1) return { ...typed, pendingFlag: row ? { row } : { global: global! } };
    i++;
  }
  return typed;
}

const argsOf = ({ tree, path }: ParsedLine): Args => tree.find(path)?.args ?? {};

const flagNames = (typed: ParsedLine): Candidate[] => [
  ...flagRows(argsOf(typed)).map(([name, row]): Candidate => [`--${flagName(name)}`, row.help]),
  ...(GLOBALS as readonly GlobalFlag[]).map((row): Candidate => [/--[\w-]+/.exec(row.flags)![0], row.help]),
];

/** Completes `md,ht` with the values that are not in the list yet. */
function commaValues(typed: string, values: readonly Candidate[]): Candidate[] {
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  const named = new Set(before.split(","));
  return values
    .filter(([value]) => !named.has(value))
    .map(([value, words]): Candidate => [before + value, words]);
}

/** The values of an argument, completed after the last comma if it is a list. */
function rowValues(entry: NamedRow | undefined, typed: string, data: CompletionData): Candidate[] {
  const values = valuesOf(entry, data);
  return entry && takesCommas(entry[1]) ? commaValues(typed, values) : values;
}

/** Completes `--role=mod`; the values of `--json=` are the fields of the command's results. */
function flagValues(typed: ParsedLine, flag: string, value: string, data: CompletionData): Candidate[] {
  const row = flagOf(argsOf(typed), flag);
  const global = globalFlag(flag);
  if (row) return rowValues(row, value, data);
  if (global?.flags.includes("[fields]"))
    return commaValues(value, withoutDescriptions(knownFields(typed.path)));
  return global ? globalValues(global, data) : [];
}

function nextWords({ tree, plain }: ParsedLine, { extensions }: CompletionData): Candidate[] {
  if (plain.length === 0) {
    const single = tree.visiblePaths().filter((one) => !one.includes(" "));
    return [
      ...single.map((one): Candidate => [one, tree.definition(one).summary]),
      ...Object.entries(tree.nouns).filter(([noun]) => !noun.includes(" ")),
      ...extensions
        .filter(({ name }) => !tree.hasWord(name))
        .map(({ name, path }): Candidate => [name, `Extension: ${path}`]),
    ];
  }
  const noun = tree.pathOf(plain);
  const next = new Map<string, string>();
  for (const path of tree.visibleUnder(noun)) {
    const [word = "", ...more] = path.slice(noun.length + 1).split(" ");
    next.set(word, more.length ? (tree.nouns[`${noun} ${word}`] ?? "") : tree.definition(path).summary);
  }
  return [...next];
}

/** The values of positional arguments that are not channels, users or choices. */
function specialValues(
  { path, plain }: ParsedLine,
  position: number,
  data: CompletionData,
): Candidate[] | undefined {
  if (path === "help") return Object.entries(TOPICS).map(([name, topic]): Candidate => [name, topic.summary]);
  if (path.startsWith("config ") && position === 0)
    return settingKeys.map((key): Candidate => [key, SETTINGS[key].words]);
  if (path === "config set" && position === 1) {
    const key = plain.at(-1)!;
    const row: SettingRow | undefined = isSettingKey(key) ? SETTINGS[key] : undefined;
    return withoutDescriptions(row?.choices ?? (row?.type === "flag" ? ["true", "false"] : []));
  }
  if (path.startsWith("channel-type ") && path !== "channel-type create" && position === 0)
    return data.names.type;
  return path.startsWith("profile ") || path === "logout" ? withoutDescriptions(data.profiles) : undefined;
}

/** Words that begin so can only be a channel. */
const BEGINS_CHANNEL = /^#|:/;

function positionalValues(typed: ParsedLine, last: string, data: CompletionData): Candidate[] {
  const given = typed.plain.slice(typed.path.split(" ").length);
  const args = argsOf(typed);
  const channel = channelAmong(args, given);
  const isAlone = positionalRows(args).length === 0;
  if (channel?.at === -1 && (isAlone || BEGINS_CHANNEL.test(last))) return channelValues(data);
  const position = given.length - (channel !== undefined && channel.at >= 0 ? 1 : 0);
  const special = specialValues(typed, position, data);
  if (special) return special;
  const positionals = positionalRows(args).filter(([, row]) => row.positional === true);
  const row = positionals[Math.min(position, positionals.length - 1)];
  return position < positionals.length || row?.[1].kind === "list" ? valuesOf(row, data) : [];
}

function candidates(typed: ParsedLine, last: string, data: CompletionData): Candidate[] {
  const { pendingFlag } = typed;
  if (pendingFlag)
    return "row" in pendingFlag
      ? rowValues(pendingFlag.row, last, data)
      : globalValues(pendingFlag.global, data);
  const [, flag, value = ""] = /^(--[\w-]+)=(.*)/s.exec(last) ?? [];
  if (flag !== undefined)
    return flagValues(typed, flag, value, data).map(([one, words]): Candidate => [`${flag}=${one}`, words]);
  if (last.startsWith("-")) return flagNames(typed);
  return typed.path === "" ? nextWords(typed, data) : positionalValues(typed, last, data);
}

/** The candidates for the last word; `words` without `parley`. */
function complete(words: readonly string[], data: CompletionData): Candidate[] {
  const last = words.at(-1) ?? "";
  const all = candidates(parseLine(data.tree, words.slice(0, -1)), last, data);
  return all.filter(([value]) => value.startsWith(last));
}

/** The names of the app of the profile in use; none when its config cannot be read. */
function namesFor({ env }: Shell, words: readonly string[]): Names {
  const at = words.findIndex((word) => word === "-p" || word === "--profile");
  const flags = at < 0 ? {} : { profile: words[at + 1] };
  try {
    const { settings } = loadSettings({ flags, env, cwd: process.cwd() });
    const profile = findProfile(env, settings.profile);
    const app = profile && appOfProfile(profile, localKeyOf(providerDir(env)));
    return app ? readNames(findAppFolder(env, app, profile.name).places.cache) : emptyNames();
  } catch {
    return emptyNames();
  }
}

export default command({
  shell: true,
  group: "Setup",
  summary: "Answer a completion",
  skipsConfig: true,
  allowsDryRun: true,
  args: {
    words: {
      kind: "list",
      positional: true,
      optional: true,
      mayBeEmpty: true,
      help: "The words typed so far",
    },
  },
  async run(shell: Shell, { words: typed }) {
    const data: CompletionData = {
      tree: shell.tree,
      names: namesFor(shell, typed),
      extensions: typed.filter((word) => !word.startsWith("-")).length > 1 ? [] : listExtensions(shell.env),
      channelType: shell.env.PARLEY_CHANNEL_TYPE || SETTINGS.channelType.default,
      profiles: (() => {
        try {
          return listProfiles(shell.env).map((profile) => profile.name);
        } catch {
          return ["local"];
        }
      })(),
    };
    const lines = complete(typed, data)
      .slice(0, 200)
      .map(([value, words]) => (words ? `${cleanLine(value)}\t${cleanLine(words)}` : cleanLine(value)));
    await write(shell.out, lines.length ? `${lines.join("\n")}\n` : "");
    return 0;
  },
});
