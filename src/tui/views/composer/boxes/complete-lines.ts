/** Completes slash commands: their names, and the words behind a name (R-CMD). */
import { ALIASES, commands } from "../../../../commands/index.ts";
import {
  flagName,
  flagOf,
  flagRows,
  defaultMessageOf,
  type NamedRow,
} from "../../../../commands/base/args.ts";
import { chatPaths, findCommand, usageLine } from "../../../../commands/line.ts";
import { userName } from "../../../../model/channels.ts";
import type { DefaultMessage } from "../../../../model/default-message.ts";
import { matchingUsers } from "../../../../model/mentions.ts";
import { cleanLine } from "../../../../text/sanitize.ts";
import { words } from "../../../../text/words.ts";
import type { CommandInfo } from "../../../../wire/entities/channel.ts";
import { SUGGESTION_PAGE } from "../../../../wire/constants.ts";
import type { User } from "../../../../wire/entities/user.ts";
import {
  hasOwnMeaning,
  lineHint,
  lineIn,
  lineNames,
  lineRow,
  type LineName,
  type Takes,
} from "../../../keys/line-table.ts";
import { withOurName } from "../../../keys/other-names.ts";
import type { CompletionState, CompletionItem } from "../../../screen/screen.ts";
import { ranked } from "./ranked.ts";

interface NamedChannel {
  cid: string;
  title: string;
  /** The own user is no member. */
  open?: true;
}

export interface LineContext {
  /** Everybody who is held, for commands about people. */
  users?: Iterable<User>;
  channels: readonly NamedChannel[];
  /** The type of channels that need not be written. */
  channelType?: string;
  /** The channel's config (R-CMD-2). */
  providerCommands: readonly CommandInfo[];
  /** What a line of the box takes, where it is a short list. */
  choices?(takes: Takes): readonly string[];
  /** The message that a command means when it names none, in words. */
  meant?(which: DefaultMessage): string | undefined;
  namesMessage?(word: string): boolean;
}

/** What is asked for most, before the rest of the alphabet. */
const COMMON: readonly string[] = [
  "help",
  "search",
  "dm",
  "join",
  "leave",
  "invite",
  "who",
  "topic",
  "mute",
  "attach",
  "poll",
  "location",
  "remind",
  "edit",
  "react",
  "pin",
  "theme",
  "quit",
];

interface Named {
  name: string;
  words: string;
}

/** With the line of ours that the same name is, where something else stands behind it: both are told. */
function providerWords({ name, args, description }: CommandInfo): string {
  const theirs = cleanLine([args, description].filter(Boolean).join(" · "));
  return hasOwnMeaning(name) ? [theirs, lineHint(name)].filter(Boolean).join(", or ") : theirs;
}

function allNames({ providerCommands }: LineContext): Named[] {
  const theirs = providerCommands.map((c) => ({ name: c.name, words: providerWords(c) }));
  const taken = new Set<string>(theirs.map((c) => c.name));
  const lines = lineNames.map((name) => ({ name, words: lineHint(name) }));
  const aliases = Object.entries(ALIASES)
    .filter(([name]) => !Object.hasOwn(lines, name))
    .map(([name, path]) => ({ name, words: commands[path]!.summary }));
  const paths = chatPaths().map((name) => ({ name, words: commands[name]!.summary }));
  const all = [...theirs];
  for (const each of [...lines, ...aliases, ...paths])
    if (!taken.has(each.name)) {
      taken.add(each.name);
      all.push(each);
    }
  return all;
}

/** Exact first, then what is common, then by name (R-CMD-2); a path of two words goes on matching behind its blank (specification/command-line.md §7). */
function nameItems(context: LineContext, query: string): CompletionItem[] {
  const place = (name: string): number => (COMMON.indexOf(name) + COMMON.length + 1) % (COMMON.length + 1);
  const order = (a: Named, b: Named): number =>
    Number(b.name === query) - Number(a.name === query) ||
    place(a.name) - place(b.name) ||
    a.name.localeCompare(b.name);
  return allNames(context)
    .filter((c) => c.name.startsWith(query))
    .toSorted(order)
    .map((c) => ({ insert: `/${c.name} `, label: `/${c.name}`, detail: c.words }));
}

/** Whom a command is about: it wants an id. */
const people = (context: LineContext, query: string): CompletionItem[] =>
  matchingUsers(context.users ?? [], query, undefined)
    .slice(0, SUGGESTION_PAGE)
    .map((user) => {
      const name = userName(user);
      return {
        insert: `@${user.id} `,
        label: `@${user.id}`,
        ...(name === user.id ? {} : { detail: cleanLine(name) }),
      };
    });

const channels = ({ channels: all, channelType }: LineContext, query: string): CompletionItem[] =>
  ranked(all, query, (c) => [c.title.replace(/^#/, ""), c.cid])
    .slice(0, SUGGESTION_PAGE)
    .map(({ cid, title, open }) => {
      const [type, id] = [cid.slice(0, cid.indexOf(":")), cid.slice(cid.indexOf(":") + 1)];
      const named = type === channelType ? `#${id}` : cid;
      const detail = [title === named ? "" : cleanLine(title), open ? words.completion.open : ""];
      const about = detail.filter((word) => word !== "").join(" · ");
      return { insert: `${named} `, label: named, ...(about !== "" && { detail: about }) };
    });

const choices = (all: readonly string[], query: string): CompletionItem[] =>
  all
    .filter((one) => one.toLowerCase().startsWith(query.toLowerCase()))
    .map((one) => ({ insert: `${/\s/.test(one) ? `"${one}"` : one} `, label: cleanLine(one) }));

function lineItems(context: LineContext, name: LineName, word: string): CompletionItem[] {
  const { takes } = lineRow(name);
  switch (takes) {
    case undefined:
    case "file":
      return [];
    case "user":
      return people(context, word.replace(/^@/, ""));
    case "channel":
      return channels(context, word.replace(/^#/, ""));
    default:
      return choices(context.choices?.(takes) ?? [], word);
  }
}

/** The places of a command that the words behind its name fill, and which is being written. */
function placeOf(context: LineContext, path: string, rest: string): { next?: NamedRow; meant?: string } {
  const given = rest === "" ? 0 : rest.split(/\s+/).filter((w) => !w.startsWith("-")).length;
  const first = rest.split(/\s+/, 1)[0]!;
  const rows = Object.entries(commands[path]!.args).filter(([, row]) => row.place && !row.here);
  const means = rows.map(([, row]) => defaultMessageOf(row)).find((each) => each !== undefined);
  const meant = means && !context.namesMessage?.(first) ? context.meant?.(means) : undefined;
  const places = meant === undefined ? rows : rows.filter(([, row]) => defaultMessageOf(row) === undefined);
  const next = places[Math.min(Math.max(0, given - 1), places.length - 1)];
  return { ...(next && { next }), ...(meant !== undefined && { meant }) };
}

/** What a word of a command could be, by the row of its argument. */
function valueItems(context: LineContext, [name, row]: NamedRow, word: string): CompletionItem[] {
  if (row.kind === "choice") return choices(row.choices ?? [], word);
  const isPerson = row.kind === "user" || (row.kind === "list" && /^(users?|members?)$/.test(name));
  if (isPerson || word.startsWith("@")) return people(context, word.replace(/^@/, ""));
  const isChannel = row.kind === "channel";
  return isChannel || word.startsWith("#") ? channels(context, word.replace(/^#/, "")) : [];
}

function commandItems(context: LineContext, path: string, rest: string): CompletionItem[] {
  const said = rest.split(/\s+/);
  const word = said.at(-1)!;
  const { args } = commands[path]!;
  if (word.startsWith("--"))
    return flagRows(args)
      .map(([name, row]) => ({ flag: `--${flagName(name)}`, row }))
      .filter(({ flag }) => flag.startsWith(word) && !said.slice(0, -1).includes(flag))
      .map(({ flag, row }) => ({ insert: `${flag} `, label: flag, detail: row.help }));
  const before = flagOf(args, said.at(-2) ?? "");
  if (before && before[1].kind !== "flag") return valueItems(context, before, word);
  const { next } = placeOf(context, path, rest);
  if (next) return valueItems(context, next, word);
  return word.startsWith("#") ? channels(context, word.slice(1)) : [];
}

/** What a command that is named in full takes, and what its next word is. */
function commandHelp(context: LineContext, path: string, rest: string): string {
  const { next, meant } = placeOf(context, path, rest);
  const about = meant === undefined ? "" : `  ·  about ${meant}`;
  return usageLine(path) + about + (next ? `  ·  ${flagName(next[0])}: ${next[1].help}` : "");
}

/** What stands behind the last blank. */
const lastWord = (text: string): string => text.split(/\s/).at(-1)!;

function wordsOf(context: LineContext, before: string): { items: CompletionItem[]; help?: string } {
  const word = lastWord(before);
  const theirs = context.providerCommands.map(({ name }) => name);
  const own = lineIn(before, theirs);
  // Behind a blank a line that takes no words is on the way to the command of its name, and so is a command that it stands in for.
  const isNamed = own && before.startsWith(`/${own.name}`);
  const goesOn =
    own && (!isNamed || (lineRow(own.name).alone && /\s$/.test(before))) && findCommand(before.slice(1));
  const line = goesOn ? undefined : own;
  if (line)
    return { items: lineItems(context, line.name, word), help: `/${line.name} ${lineHint(line.name)}` };
  const provider = context.providerCommands.find(({ name }) => before.startsWith(`/${name} `));
  if (provider) return { items: [], help: `/${provider.name} ${providerWords(provider)}` };
  const found = findCommand(before.slice(1));
  if (!found) return { items: [] };
  const help = commandHelp(context, found.path, found.rest);
  return { items: /\s/.test(before) ? commandItems(context, found.path, found.rest) : [], help };
}

/** The list for a line up to the cursor; undefined where it is no command, and where its words are a message's. */
export function completionOfLine(before: string, context: LineContext): CompletionState | undefined {
  const names = nameItems(context, before.slice(1));
  // Only the name itself is left: nothing to complete, but its arguments to explain.
  const done = names.length === 1 && names[0]!.insert === `${before} `;
  if (names.length > 0 && !done) return { start: 0, items: names, selected: 0 };
  const theirs = context.providerCommands.map(({ name }) => name);
  const { items, help } = wordsOf(context, withOurName(before, theirs));
  if (items.length === 0 && help === undefined) return undefined;
  const start = before.length - lastWord(before).length;
  return { start, items, selected: 0, ...(help !== undefined && { help }) };
}
