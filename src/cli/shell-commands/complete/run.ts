/** `parley __complete`: answers a shell's completion from the command tables and the names kept on disk, without the network. */
import { flagName, flagOf, flagRows, positionalRows, type NamedRow } from "../../../commands/base/args.ts";
import type { ArgRow, Args } from "../../../commands/base/define-command.ts";
import { NAME_KINDS, readNames, type NameKind, type Names } from "../../../config/names.ts";
import { listProfiles } from "../../../config/profiles.ts";
import { isSettingKey, SETTINGS, settingKeys, type SettingRow } from "../../../config/settings.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import type { CommandTree } from "../../base/command-tree.ts";
import { GLOBALS, type GlobalFlag } from "../../base/globals.ts";
import { knownFields } from "../../output/fields.ts";
import { TOPICS } from "../../help/topics.ts";
import { write } from "../../base/stdio.ts";
import type { COMPLETE_ARGS } from "./args.ts";
import type { ShellRun } from "../../base/shell-command.ts";

type Candidate = readonly [value: string, words: string];

interface Known {
  tree: CommandTree;
  names: Names;
  profiles: string[];
  /** The type that `#id` stands for. */
  channelType: string;
}

const globalFlag = (word: string): GlobalFlag | undefined =>
  (GLOBALS as readonly GlobalFlag[]).find((row) => row.flags.split(/[ ,=]+/).includes(word));

/** Values that need no words. */
const bare = (values: readonly string[]): Candidate[] => values.map((value): Candidate => [value, ""]);

const isNamed = (kind: string): kind is NameKind => (NAME_KINDS as readonly string[]).includes(kind);

/** Lists, and texts that name something, are of what their value or their name says. */
function kindOf(name: string, row: ArgRow): string {
  if (row.kind !== "list" && row.kind !== "text") return row.kind;
  // A type is a channel's only where the row says so: there are types of reactions and events, too.
  return row.value ?? (name === "type" ? row.kind : name.replace(/s$/, ""));
}

function valuesOf(entry: NamedRow | undefined, known: Known): Candidate[] {
  if (entry?.[1].choices) return bare(entry[1].choices);
  const kind = entry && kindOf(...entry);
  if (kind === "channel") return channelValues(known);
  return kind !== undefined && isNamed(kind) ? known.names[kind] : [];
}

function channelValues({ names, channelType }: Known): Candidate[] {
  const short = names.channel.filter(([cid]) => cid.startsWith(`${channelType}:`));
  return [
    ...names.channel,
    ...short.map(([cid, name]): Candidate => [`#${cid.slice(channelType.length + 1)}`, name]),
    ...names.user.map(([id, name]): Candidate => [`@${id}`, name]),
  ];
}

function globalValues(row: GlobalFlag, known: Known): Candidate[] {
  if (row.setting === "profile") return bare(known.profiles);
  if (row.setting === "user") return known.names.user;
  return bare(row?.choices ?? []);
}

/** What stands before the word that is completed. */
interface Typed {
  tree: CommandTree;
  /** The command, once the words name one. */
  path: string;
  /** Words that are no flags. */
  plain: string[];
  /** The flag whose value is wanted next. */
  waiting?: { row: NamedRow } | { global: GlobalFlag };
}

function readBefore(tree: CommandTree, before: readonly string[]): Typed {
  const typed: Typed = { tree, path: "", plain: [] };
  for (let i = 0; i < before.length; i++) {
    const word = before[i]!;
    if (!word.startsWith("-") || word === "-") {
      typed.plain.push(word);
      const named = tree.pathOf(typed.plain);
      if (typed.path === "" && tree.find(named)) typed.path = named;
      continue;
    }
    const row = flagOf(argsOf(typed), word);
    const global = globalFlag(word);
    const takes = row ? row[1].kind !== "flag" : global?.flags.includes("<");
    if (!takes || word.includes("=")) continue;
    if (i === before.length - 1) return { ...typed, waiting: row ? { row } : { global: global! } };
    i++;
  }
  return typed;
}

const argsOf = ({ tree, path }: Typed): Args => tree.find(path)?.args ?? {};

const flagNames = (typed: Typed): Candidate[] => [
  ...flagRows(argsOf(typed)).map(([name, row]): Candidate => [`--${flagName(name)}`, row.help]),
  ...(GLOBALS as readonly GlobalFlag[]).map((row): Candidate => [/--[\w-]+/.exec(row.flags)![0], row.help]),
];

/** `md,ht`: behind what is named already, the values that are not. */
function behindCommas(typed: string, values: readonly Candidate[]): Candidate[] {
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  const named = new Set(before.split(","));
  return values
    .filter(([value]) => !named.has(value))
    .map(([value, words]): Candidate => [before + value, words]);
}

/** The values of an argument, of which as much is typed. */
function rowValues(entry: NamedRow | undefined, typed: string, known: Known): Candidate[] {
  const values = valuesOf(entry, known);
  return entry?.[1].commas ? behindCommas(typed, values) : values;
}

/** `--role=mod`: the values of the flag, behind it; those of `--json=` are the fields of the command's results. */
function flagValues(typed: Typed, flag: string, value: string, known: Known): Candidate[] {
  const row = flagOf(argsOf(typed), flag);
  const global = globalFlag(flag);
  if (row) return rowValues(row, value, known);
  if (global?.flags.includes("[fields]")) return behindCommas(value, bare(knownFields(typed.path)));
  return global ? globalValues(global, known) : [];
}

/** The next word of a path that is not whole yet. */
function nextWords({ tree, plain }: Typed): Candidate[] {
  if (plain.length === 0) {
    const single = tree.visiblePaths().filter((one) => !one.includes(" "));
    return [
      ...single.map((one): Candidate => [one, tree.definition(one).summary]),
      ...Object.entries(tree.nouns).filter(([noun]) => !noun.includes(" ")),
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

/** The values of the command's places that are no channels, users or choices. */
function ownValues({ path, plain }: Typed, position: number, known: Known): Candidate[] | undefined {
  if (path === "help") return Object.entries(TOPICS).map(([name, topic]): Candidate => [name, topic.summary]);
  if (path.startsWith("config ") && position === 0)
    return settingKeys.map((key): Candidate => [key, SETTINGS[key].words]);
  if (path === "config set" && position === 1) {
    const key = plain.at(-1)!;
    const row: SettingRow | undefined = isSettingKey(key) ? SETTINGS[key] : undefined;
    return bare(row?.choices ?? (row?.type === "flag" ? ["true", "false"] : []));
  }
  if (path.startsWith("channel-type ") && path !== "channel-type create" && position === 0)
    return known.names.type;
  return path.startsWith("profile ") || path === "logout" ? bare(known.profiles) : undefined;
}

function placeValues(typed: Typed, known: Known): Candidate[] {
  const position = typed.plain.length - typed.path.split(" ").length;
  const own = ownValues(typed, position, known);
  if (own) return own;
  const places = positionalRows(argsOf(typed)).filter(([, row]) => row.place === "positional");
  const row = places[Math.min(position, places.length - 1)];
  return position < places.length || row?.[1].kind === "list" ? valuesOf(row, known) : [];
}

function candidates(typed: Typed, last: string, known: Known): Candidate[] {
  const { waiting } = typed;
  if (waiting)
    return "row" in waiting ? rowValues(waiting.row, last, known) : globalValues(waiting.global, known);
  const [, flag, value = ""] = /^(--[\w-]+)=(.*)/s.exec(last) ?? [];
  if (flag !== undefined)
    return flagValues(typed, flag, value, known).map(([one, words]): Candidate => [`${flag}=${one}`, words]);
  if (last.startsWith("-")) return flagNames(typed);
  return typed.path === "" ? nextWords(typed) : placeValues(typed, known);
}

/** The candidates for the last word; `words` without `parley`. */
function complete(words: readonly string[], known: Known): Candidate[] {
  const last = words.at(-1) ?? "";
  const all = candidates(readBefore(known.tree, words.slice(0, -1)), last, known);
  return all.filter(([value]) => value.startsWith(last));
}

const run: ShellRun<typeof COMPLETE_ARGS> = async (shell, { words: typed }) => {
  const known: Known = {
    tree: shell.tree,
    names: readNames(shell.env),
    channelType: shell.env.PARLEY_CHANNEL_TYPE || SETTINGS.channelType.default,
    profiles: (() => {
      try {
        return listProfiles(shell.env).map((profile) => profile.name);
      } catch {
        return ["local"];
      }
    })(),
  };
  const lines = complete(typed, known)
    .slice(0, 200)
    .map(([value, words]) => (words ? `${cleanLine(value)}\t${cleanLine(words)}` : cleanLine(value)));
  await write(shell.out, lines.length ? `${lines.join("\n")}\n` : "");
  return 0;
};
export default run;
