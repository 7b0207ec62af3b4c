/** What could be meant by the word before the cursor: people, channels, commands, emoji (R-MENT, R-CMD), as pure lookups. */
import { commands, ALIASES } from "../../../commands/index.ts";
import { flagName, meantBy } from "../../../commands/base/args.ts";
import { chatPaths, findCommand, usageLine } from "../../../commands/line.ts";
import { bestRank, fold } from "../../../model/matching.ts";
import type { Meant } from "../../../model/meant.ts";
import { matchingUsers } from "../../../model/mentions.ts";
import { completeEmoji } from "../../../text/emoji.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import type { CommandInfo } from "../../../wire/channel.ts";
import { SUGGESTION_PAGE } from "../../../wire/constants.ts";
import type { User } from "../../../wire/user.ts";
import { userName } from "../../../model/channels.ts";
import type { Completion, CompletionItem } from "../../screen/screen.ts";

interface CompletionContext {
  /** Who could be meant, the own user left out (R-MENT-5). */
  people: readonly User[];
  channels: readonly { cid: string; title: string }[];
  /** The channel's config (R-CMD-2). */
  providerCommands: readonly CommandInfo[];
  /** The message that a command means when it names none, in words. */
  meant?(which: Meant): string | undefined;
  namesMessage?(word: string): boolean;
}

function ranked<T>(list: readonly T[], query: string, texts: (item: T) => string[]): T[] {
  const wanted = fold(query);
  return list
    .flatMap((item) => {
      const rank = bestRank(texts(item), wanted);
      return rank === undefined ? [] : [{ item, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, SUGGESTION_PAGE)
    .map(({ item }) => item);
}

function people(context: CompletionContext, query: string): CompletionItem[] {
  return matchingUsers(context.people, query, undefined)
    .slice(0, SUGGESTION_PAGE)
    .map((user) => {
      const name = userName(user);
      return {
        insert: `@${name} `,
        label: `@${name}`,
        user,
        ...(name === user.id ? {} : { detail: cleanLine(user.id) }),
      };
    });
}

function channels(context: CompletionContext, query: string): CompletionItem[] {
  return ranked(context.channels, query, (c) => [c.title.replace(/^#/, ""), c.cid]).map((c) => ({
    insert: `#${c.cid.slice(c.cid.indexOf(":") + 1)} `,
    label: c.title,
  }));
}

interface Named {
  name: string;
  words: string;
}

/** Lines that only a box understands. */
export const OF_THE_BOX: readonly Named[] = [
  { name: "attach", words: "FILE… · Attach files to the message" },
  { name: "files", words: "The files, pictures and links of this channel" },
  { name: "detach", words: "[NAME] · Take files and link previews off again" },
];

/** Views of the screen that are no command of ours (`/threads` and `/drafts` are). */
const VIEWS: readonly Named[] = [
  { name: "inbox", words: "What waits for you: mentions, direct and unread channels" },
  { name: "later", words: "Your reminders and what you saved for later" },
  { name: "poll", words: "Ask in a poll, by a form" },
];

function allCommands(context: CompletionContext): Named[] {
  const provider = context.providerCommands.map((c) => ({
    name: c.name,
    words: cleanLine([c.args, c.description].filter(Boolean).join(" · ")),
  }));
  const taken = new Set(provider.map((c) => c.name));
  const aliases = Object.entries(ALIASES).map(([name, path]) => ({ name, words: commands[path]!.summary }));
  const paths = chatPaths().map((name) => ({ name, words: commands[name]!.summary }));
  return [...provider, ...[...aliases, ...paths, ...VIEWS, ...OF_THE_BOX].filter((c) => !taken.has(c.name))];
}

/** Exact first, then by name (R-CMD-2); a path of two words goes on matching behind its blank (specification/command-line.md §7). */
function commandItems(context: CompletionContext, query: string): CompletionItem[] {
  return allCommands(context)
    .filter((c) => c.name.startsWith(query))
    .toSorted((a, b) => Number(b.name === query) - Number(a.name === query) || a.name.localeCompare(b.name))
    .slice(0, SUGGESTION_PAGE)
    .map((c) => ({ insert: `/${c.name} `, label: `/${c.name}`, detail: c.words }));
}

/** The command a line has named in full and what its next argument is, for the line under the box. */
function commandHelp(context: CompletionContext, text: string): string | undefined {
  const found = findCommand(text.slice(1));
  if (!found) return undefined;
  const { path, rest } = found;
  const given = rest === "" ? 0 : rest.split(/\s+/).filter((w) => !w.startsWith("-")).length;
  const first = rest.split(/\s+/, 1)[0]!;
  const rows = Object.entries(commands[path]!.args).filter(([, row]) => row.place && !row.here);
  const means = rows.map(([, row]) => meantBy(row)).find((each) => each !== undefined);
  const meant = means && !context.namesMessage?.(first) ? context.meant?.(means) : undefined;
  const places = meant === undefined ? rows : rows.filter(([, row]) => meantBy(row) === undefined);
  const next = places[Math.min(Math.max(0, given - 1), places.length - 1)];
  const about = meant === undefined ? "" : `  ·  about ${meant}`;
  return usageLine(path) + about + (next ? `  ·  ${flagName(next[0])}: ${next[1].help}` : "");
}

/** The list for the text up to the cursor, or undefined when nothing completable stands there. */
export function completionFor(before: string, context: CompletionContext): Completion | undefined {
  const found = (start: number, items: CompletionItem[], help?: string): Completion | undefined =>
    items.length || help ? { start, items, selected: 0, ...(help ? { help } : {}) } : undefined;

  if (/^\/[^\n]*$/.test(before)) {
    const items = commandItems(context, before.slice(1));
    // Only the name itself is left: nothing to complete, but its arguments to explain.
    const done = items.length === 1 && items[0]!.insert === `${before} `;
    if (items.length && !done) return found(0, items);
    const word = /(^|\s)([@#][^\s]*)$/.exec(before)?.[2];
    if (!word) return found(0, [], commandHelp(context, before));
  }
  const word = /(?:^|\s)([@#:][^\s]*)$/u.exec(before)?.[1];
  if (word === undefined) return undefined;
  const start = before.length - word.length;
  const query = word.slice(1);
  if (word[0] === "@") return found(start, people(context, query));
  if (word[0] === "#") return found(start, channels(context, query));
  // One letter would open a list at every smiley.
  if (query.length < 2 || !/^[\w+-]+$/.test(query)) return undefined;
  return found(
    start,
    completeEmoji(query, SUGGESTION_PAGE).map((e) => ({
      insert: `${e.emoji} `,
      label: e.emoji,
      detail: `:${e.name}:`,
    })),
  );
}
