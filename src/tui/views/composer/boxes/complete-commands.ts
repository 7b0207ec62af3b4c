/** Completes slash commands: their names and their arguments (R-CMD). */
import type { Extension } from "../../../../config/extensions.ts";
import { ALIASES, commands } from "../../../../commands/table.gen.ts";
import { flagName, flagOf, defaultMessageOf, type NamedRow } from "../../../../commands/base/args.ts";
import { chatFlags, chatPaths, findCommand, loadAhead, usageLine } from "../../../../commands/line.ts";
import { userName } from "../../../../model/channels.ts";
import type { DefaultMessage } from "../../../../model/default-message.ts";
import { matchingUsers } from "../../../../model/mentions.ts";
import { cleanLine } from "../../../../text/sanitize.ts";
import { words } from "../../../../text/words.ts";
import type { CommandInfo } from "../../../../wire/entities/channel.ts";
import { SUGGESTION_PAGE } from "../../../../wire/constants.ts";
import type { User } from "../../../../wire/entities/user.ts";
import {
  coexistsWithProvider,
  composerCommandHint,
  parseComposerCommand,
  composerCommandNames,
  composerCommand,
  type ComposerCommandName,
  type CompletionSource,
} from "../../../keys/composer-commands.ts";
import { actionNames, actionRow, type KeyContext } from "../../../keys/action-table.ts";
import { resolveAlias } from "../../../keys/aliases.ts";
import type { CompletionState, CompletionItem } from "../../../screen/screen.ts";
import { preferringNames, ranked } from "./rank.ts";

interface NamedChannel {
  cid: string;
  title: string;
  /** The user is not a member but may join. */
  open?: true;
}

export interface LineContext {
  /** All known users, for commands about people. */
  users?: Iterable<User>;
  /** Members of the channel that match the word, without the current user (R-MENT-5). */
  people?: readonly User[];
  channels: readonly NamedChannel[];
  /** Channels of this type are completed as `#id` instead of their cid. */
  channelType?: string;
  /** The channel's config (R-CMD-2). */
  providerCommands: readonly CommandInfo[];
  /** The user's own programs, for the names of commands. */
  extensions?(): readonly Extension[];
  /** The possible arguments of one of the composer's own commands. */
  choices?(takes: CompletionSource): readonly string[];
  /** Describes the message that a command uses when it names none. */
  describeDefault?(which: DefaultMessage): string | undefined;
  namesMessage?(word: string): boolean;
}

/** The most used commands, listed before the others. */
const COMMON_FIRST: readonly string[] = [
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

interface NamedCommand {
  name: string;
  summary: string;
}

/** Describes a command of the provider; if one of Parley's own lines has the same name, both are described. */
function providerSummary({ name, args, description }: CommandInfo): string {
  const summary = cleanLine([args, description].filter(Boolean).join(" · "));
  return coexistsWithProvider(name)
    ? [summary, composerCommandHint(name)].filter(Boolean).join(", or ")
    : summary;
}

function allNames({ providerCommands, extensions }: LineContext): NamedCommand[] {
  const fromProvider = providerCommands.map((c) => ({ name: c.name, summary: providerSummary(c) }));
  const names = new Set<string>(fromProvider.map((c) => c.name));
  const lines = composerCommandNames.map((name) => ({ name, summary: composerCommandHint(name) }));
  const aliases = Object.entries(ALIASES).map(([name, path]) => ({
    name,
    summary: commands.row(path).summary,
  }));
  const paths = chatPaths().map((name) => ({ name, summary: commands.row(name).summary }));
  const all = [...fromProvider];
  const own = (extensions?.() ?? []).map(({ name, path }) => ({
    name,
    summary: words.extensions.about(cleanLine(path)),
  }));
  for (const each of [...lines, ...aliases, ...paths, ...own])
    if (!names.has(each.name)) {
      names.add(each.name);
      all.push(each);
    }
  return all;
}

/** Exact match first, then common commands, then by name (R-CMD-2); paths of two words match across their blank (specification/command-line.md §7). */
function nameItems(context: LineContext, query: string): CompletionItem[] {
  const order = preferringNames(COMMON_FIRST, query);
  const all = allNames(context);
  const matching = all.filter((c) => c.name.startsWith(query));
  // After its blank a command that runs by itself stays before the longer ones.
  const itself = matching.length > 0 ? all.filter((c) => `${c.name} ` === query) : [];
  const sorted = matching.toSorted((a, b) => order(a, b) || a.name.localeCompare(b.name));
  return [...itself, ...sorted].map((c) => ({
    insert: `/${c.name} `,
    label: `/${c.name}`,
    detail: c.summary,
  }));
}

/** People for commands, which need ids. */
const people = (users: Iterable<User> | undefined, query: string): CompletionItem[] =>
  matchingUsers(users ?? [], query, undefined)
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
      const channelName = type === channelType ? `#${id}` : cid;
      const detail = [title === channelName ? "" : cleanLine(title), open ? words.completion.open : ""];
      const about = detail.filter((word) => word !== "").join(" · ");
      return { insert: `${channelName} `, label: channelName, ...(about !== "" && { detail: about }) };
    });

const choices = (values: readonly string[], query: string): CompletionItem[] =>
  values
    .filter((one) => one.toLowerCase().startsWith(query.toLowerCase()))
    .map((one) => ({ insert: `${/\s/.test(one) ? `"${one}"` : one} `, label: cleanLine(one) }));

const placeName = (place: KeyContext): string => (place === "global" ? "anywhere" : place);

/** A line of keys: a place, keys, and the actions of the place by name. */
function keyLineItems(typed: string): CompletionItem[] {
  const [place = "", ...rest] = typed.split(/\s+/);
  const query = (rest.at(-1) ?? place).toLowerCase();
  const startsAlike = (name: string): boolean => name.toLowerCase().startsWith(query);
  if (rest.length === 0) {
    const places = new Set(actionNames.flatMap((name) => actionRow(name).contexts.map(placeName)));
    return choices([...places], query);
  }
  if (rest.length === 1) return [];
  return actionNames
    .filter((name) => startsAlike(name) && actionRow(name).contexts.map(placeName).includes(place))
    .map((name) => ({ insert: name, label: name, detail: actionRow(name).title }));
}

/** Completes the last word of what was typed after a command of the composer. */
function lineItems(context: LineContext, name: ComposerCommandName, typed: string): CompletionItem[] {
  const { completes } = composerCommand(name);
  const word = lastWord(typed);
  switch (completes) {
    case "keyLine":
      return keyLineItems(typed);
    case undefined:
    case "file":
      return [];
    case "user":
      return people(context.users, word.replace(/^@/, ""));
    case "member":
      return word.startsWith("@") ? people(context.people, word.slice(1)) : [];
    case "channel":
      return channels(context, word.replace(/^#/, ""));
    default:
      return choices(context.choices?.(completes) ?? [], word);
  }
}

/** The positional argument being written, and a description of the default message while none is named. */
function argumentAt(context: LineContext, path: string, rest: string) {
  const wordCount = rest === "" ? 0 : rest.split(/\s+/).filter((w) => !w.startsWith("-")).length;
  const firstWord = rest.split(/\s+/, 1)[0]!;
  const rows = Object.entries(commands.row(path).args).filter(
    ([, row]) => row.positional && !row.defaultsToCurrent,
  );
  const defaultKind = rows.map(([, row]) => defaultMessageOf(row)).find((each) => each !== undefined);
  const defaultMessage =
    defaultKind && !context.namesMessage?.(firstWord) ? context.describeDefault?.(defaultKind) : undefined;
  const positionals =
    defaultMessage === undefined ? rows : rows.filter(([, row]) => defaultMessageOf(row) === undefined);
  const next = positionals[Math.min(Math.max(0, wordCount - 1), positionals.length - 1)];
  return { next, defaultMessage };
}

/** Completes a word of a command by the definition of its argument. */
function valueItems(context: LineContext, [name, row]: NamedRow, word: string): CompletionItem[] {
  if (row.kind === "choice") return choices(row.choices ?? [], word);
  const isPerson = row.kind === "user" || (row.kind === "list" && /^(users?|members?)$/.test(name));
  if (isPerson || word.startsWith("@")) return people(context.users, word.replace(/^@/, ""));
  const isChannel = row.kind === "channel";
  return isChannel || word.startsWith("#") ? channels(context, word.replace(/^#/, "")) : [];
}

function commandItems(context: LineContext, path: string, rest: string): CompletionItem[] {
  const typedWords = rest.split(/\s+/);
  const word = typedWords.at(-1)!;
  const { args } = commands.row(path);
  if (word.startsWith("--"))
    return chatFlags(args)
      .map(([name, row]) => ({ flag: `--${flagName(name)}`, row }))
      .filter(({ flag }) => flag.startsWith(word) && !typedWords.slice(0, -1).includes(flag))
      .map(({ flag, row }) => ({ insert: `${flag} `, label: flag, detail: row.help }));
  const before = flagOf(args, typedWords.at(-2) ?? "");
  if (before && before[1].kind !== "flag") return valueItems(context, before, word);
  const { next } = argumentAt(context, path, rest);
  // What is created has no name yet; a direct channel is named by its person.
  if (next?.[1].kind === "channel" && path.endsWith(" create"))
    return word.startsWith("@") ? people(context.users, word.slice(1)) : [];
  if (next) return valueItems(context, next, word);
  return word.startsWith("#") ? channels(context, word.slice(1)) : [];
}

/** Usage of a command whose name is complete, and help for its next argument. */
function commandHelp(context: LineContext, path: string, rest: string): string {
  const { next, defaultMessage } = argumentAt(context, path, rest);
  const about = defaultMessage === undefined ? "" : `  ·  about ${defaultMessage}`;
  return usageLine(path) + about + (next ? `  ·  ${flagName(next[0])}: ${next[1].help}` : "");
}

const namesOf = ({ providerCommands }: LineContext): string[] => providerCommands.map(({ name }) => name);

/** What follows the name of a command, with the blank at its end. */
const restOf = (before: string): string => before.replace(/^\S*\s*/, "");

const lastWord = (text: string): string => text.split(/\s/).at(-1)!;

function argumentCompletion(context: LineContext, before: string): Pick<CompletionState, "items" | "help"> {
  const composerLine = parseComposerCommand(before, namesOf(context));
  // `/poll ` (an own command that takes no arguments) and a command that an own one replaces are completed as commands.
  const isNamed = composerLine && before.startsWith(`/${composerLine.name}`);
  const longerCommand =
    composerLine &&
    (!isNamed || (composerCommand(composerLine.name).withoutArguments && /\s$/.test(before))) &&
    findCommand(before.slice(1));
  const line = longerCommand ? undefined : composerLine;
  if (line)
    return {
      items: lineItems(context, line.name, restOf(before)),
      help: `/${line.name} ${composerCommandHint(line.name)}`,
    };
  const provider = context.providerCommands.find(({ name }) => before.startsWith(`/${name} `));
  if (provider) return { items: [], help: `/${provider.name} ${providerSummary(provider)}` };
  const found = findCommand(before.slice(1));
  if (!found) return { items: [] };
  loadAhead(found.path);
  const help = commandHelp(context, found.path, found.rest);
  return { items: /\s/.test(before) ? commandItems(context, found.path, found.rest) : [], help };
}

/** The completion list for a line up to the cursor; undefined when nothing can be completed or explained. */
export function completionOfLine(before: string, context: LineContext): CompletionState | undefined {
  const names = nameItems(context, before.slice(1));
  // Only the typed name itself matches: explain its arguments instead.
  const isComplete = names.length === 1 && names[0]!.insert === `${before} `;
  if (names.length > 0 && !isComplete) return { start: 0, items: names, selected: 0 };
  const { items, help } = argumentCompletion(context, resolveAlias(before, namesOf(context)));
  if (items.length === 0 && help === undefined) return undefined;
  const start = before.length - lastWord(before).length;
  return { start, items, selected: 0, ...(help !== undefined && { help }) };
}
