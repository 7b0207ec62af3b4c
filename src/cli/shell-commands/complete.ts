/** `parley __complete`: answers a shell's completion from the tables and the names kept on disk; no network, ever. */
import { flagName } from "../../commands/base/args.ts";
import { NOUNS, NOUN_WORDS, commands } from "../../commands/index.ts";
import type { ArgRow, Args } from "../../commands/base/define-command.ts";
import { readNames } from "../../config/names.ts";
import type { Names } from "../../config/names.ts";
import { listProfiles } from "../../config/profiles.ts";
import { isSettingKey, SETTINGS, settingKeys } from "../../config/settings.ts";
import type { SettingRow } from "../../config/settings.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { GLOBALS } from "../base/globals.ts";
import type { GlobalFlag } from "../base/globals.ts";
import { TOPICS } from "../help/topics.ts";
import { write } from "../base/stdio.ts";
import { OWN, OWN_NOUN_WORDS } from "./index.ts";
import type { OwnRun } from "./kit.ts";

type Candidate = readonly [value: string, words: string];

interface Known {
  names: Names;
  profiles: string[];
  /** The type that `#id` stands for. */
  channelType: string;
}

const globalFlag = (word: string): GlobalFlag | undefined =>
  (GLOBALS as readonly GlobalFlag[]).find((row) => row.flags.split(/[ ,=]+/).includes(word));

function flagRow(args: Args, word: string): readonly [string, ArgRow] | undefined {
  return Object.entries(args).find(
    ([name, row]) => row.place === "flag" && (`--${flagName(name)}` === word || `-${row.short}` === word),
  );
}

/** Lists are of what their name or their value says. */
function kindOf(name: string, row: ArgRow): string {
  if (row.kind !== "list") return row.kind;
  return row.value ?? name.replace(/s$/, "");
}

function valuesOf(entry: readonly [string, ArgRow] | undefined, known: Known): Candidate[] {
  const row = entry?.[1];
  switch (entry && kindOf(...entry)) {
    case "channel":
      return [
        ...known.names.channels,
        ...known.names.channels
          .filter(([cid]) => cid.startsWith(`${known.channelType}:`))
          .map(([cid, name]): Candidate => [`#${cid.slice(known.channelType.length + 1)}`, name]),
        ...known.names.users.map(([id, name]): Candidate => [`@${id}`, name]),
      ];
    case "user":
      return known.names.users;
    case "choice":
      return (row?.choices ?? []).map((choice): Candidate => [choice, ""]);
    default:
      return [];
  }
}

function globalValues(row: GlobalFlag, known: Known): Candidate[] {
  if (row.setting === "profile") return known.profiles.map((name): Candidate => [name, ""]);
  if (row.setting === "user") return known.names.users;
  return (row?.choices ?? []).map((choice): Candidate => [choice, ""]);
}

/** The candidates for the last word; `words` without `parley`. */
function complete(words: readonly string[], known: Known): Candidate[] {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const fits = (list: readonly Candidate[]): Candidate[] => list.filter(([value]) => value.startsWith(last));
  const plain: string[] = [];
  let path = "";
  const args = (): Args => (OWN[path] ?? commands[path])?.args ?? {};
  for (let i = 0; i < before.length; i++) {
    const word = before[i]!;
    if (!word.startsWith("-") || word === "-") {
      plain.push(word);
      const named = [NOUNS[plain[0]!] ?? plain[0]!, ...plain.slice(1)].join(" ");
      if (path === "" && (OWN[named] ?? commands[named])) path = named;
      continue;
    }
    const row = flagRow(args(), word);
    const global = globalFlag(word);
    const takes = row ? row[1].kind !== "flag" : global?.flags.includes("<");
    if (!takes || word.includes("=")) continue;
    if (i === before.length - 1) return fits(row ? valuesOf(row, known) : globalValues(global!, known));
    i++;
  }
  if (last.startsWith("-")) {
    const own = Object.entries(args())
      .filter(([, row]) => row.place === "flag")
      .map(([name, row]): Candidate => [`--${flagName(name)}`, row.help]);
    const global = (GLOBALS as readonly GlobalFlag[]).map((row): Candidate => [
      /--[\w-]+/.exec(row.flags)![0],
      row.help,
    ]);
    return fits([...own, ...global]);
  }
  if (path === "") {
    const all = [...Object.keys(OWN).filter((known) => !OWN[known]!.hidden), ...Object.keys(commands)];
    if (plain.length === 0) {
      const nouns = { ...NOUN_WORDS, ...OWN_NOUN_WORDS };
      const single = all
        .filter((one) => !one.includes(" "))
        .map((one): Candidate => [one, (OWN[one] ?? commands[one])!.summary]);
      return fits([...single, ...Object.entries(nouns).filter(([noun]) => !noun.includes(" "))]);
    }
    const noun = [NOUNS[plain[0]!] ?? plain[0]!, ...plain.slice(1)].join(" ");
    const next = new Map<string, string>();
    for (const one of all.filter((known) => known.startsWith(`${noun} `))) {
      const [word, ...more] = one.slice(noun.length + 1).split(" ");
      next.set(
        word!,
        more.length
          ? (NOUN_WORDS[`${noun} ${word}`] ?? OWN_NOUN_WORDS[`${noun} ${word}`] ?? "")
          : (OWN[one] ?? commands[one])!.summary,
      );
    }
    return fits([...next]);
  }
  const position = plain.length - path.split(" ").length;
  if (path === "help")
    return fits(Object.entries(TOPICS).map(([name, topic]): Candidate => [name, topic.summary]));
  if (path.startsWith("config ") && position === 0)
    return fits(settingKeys.map((key): Candidate => [key, SETTINGS[key].words]));
  if (path === "config set" && position === 1) {
    const key = plain.at(-1)!;
    const row: SettingRow | undefined = isSettingKey(key) ? SETTINGS[key] : undefined;
    return fits(
      (row?.choices ?? (row?.type === "flag" ? ["true", "false"] : [])).map((choice): Candidate => [
        choice,
        "",
      ]),
    );
  }
  if (path.startsWith("profile ") || path === "logout")
    return fits(known.profiles.map((name): Candidate => [name, ""]));
  const places = Object.entries(args()).filter(([, row]) => row.place === "positional");
  const row = places[Math.min(position, places.length - 1)];
  return position < places.length || row?.[1].kind === "list" ? fits(valuesOf(row, known)) : [];
}

const run: OwnRun = async (shell, values) => {
  const known: Known = {
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
  const lines = complete(values.words as string[], known)
    .slice(0, 200)
    .map(([value, words]) => (words ? `${cleanLine(value)}\t${cleanLine(words)}` : cleanLine(value)));
  await write(shell.out, lines.length ? `${lines.join("\n")}\n` : "");
  return 0;
};
export default run;
