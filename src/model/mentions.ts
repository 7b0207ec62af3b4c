/** Finds mentions in a text, and users that match an incomplete mention (R-MENT). */
import { mayBegin, mentionKey, namesIn, nameTable } from "../text/mentions.ts";
import { cleanName } from "../text/sanitize.ts";
import { MENTIONS_LIMIT } from "../wire/constants.ts";
import type { User } from "../wire/entities/user.ts";
import { bestRank } from "./matching.ts";
import { fold } from "../text/fold.ts";

export type Named = Pick<User, "id" | "name">;

/** A mention chosen from a list: kept by its place in the text, whatever follows it. UTF-16 indices, with the `@`. */
export interface ChosenMention {
  user: Named;
  start: number;
  end: number;
}

/** Whom a text may mention. */
interface People {
  chosen?: readonly ChosenMention[];
  /** Chosen before for this text; of several people with one name the last of them is meant. */
  earlier?: readonly Named[];
  others?: readonly Named[];
  /** Who writes: neither mentioned nor unknown. */
  me?: Named | undefined;
}

export interface MentionsFound {
  /** In the order of the text, each once, at most 25. */
  ids: string[];
  /** Names that nobody has. */
  unknown: string[];
  /** Names that several people have. */
  shared: string[];
}

/** The id and the name, both raw and as shown, since a name may contain characters that are not shown. */
const namesOf = ({ id, name }: Named): string[] => [id, ...(name ? [name, cleanName(name)] : [])];
const keysOf = (user: Named): string[] => namesOf(user).map(mentionKey);

/** People by the keys of their names. */
function directory(people: readonly Named[]): Map<string, Named[]> {
  const found = new Map<string, Named[]>();
  const byId = new Map(people.map((user) => [user.id, user]));
  for (const user of byId.values())
    for (const key of new Set(keysOf(user))) found.set(key, [...(found.get(key) ?? []), user]);
  return found;
}

/** Whom a written name means: whoever was chosen before, then the one with this id, then the only one with this name; else undefined. */
function meant(name: string, named: readonly Named[], earlier: readonly Named[]): Named | undefined {
  const only = (list: readonly Named[]): Named | undefined => (list.length === 1 ? list[0] : undefined);
  return (
    earlier.findLast(({ id }) => named.some((user) => user.id === id)) ??
    named.find(({ id }) => id === name) ??
    only(named.filter((user) => namesOf(user).includes(name))) ??
    only(named)
  );
}

type Markup = typeof import("../text/markup.ts");
let markup: Markup | undefined;

/** Loads the reader of the markup, which most runs of the shell do not need: before it, `mentionsIn` takes code for text. */
export async function loadMentionMarkup(): Promise<void> {
  markup ??= await import("../text/markup.ts");
}

type MentionableSpans = ReturnType<Markup["mentionablesIn"]>;

const plainSpans = (text: string, names: readonly string[]): MentionableSpans => [
  { kind: "text", text },
  ...[...namesIn(text, nameTable(names))].map(({ name }) => ({ kind: "mention" as const, name })),
];

/** The first of the characters that stand for chosen mentions while the markup is read. */
const FIRST_MARK = 0xf_0000;
const MARKS = /@([\u{f0000}-\u{ffffd}])/gu;

/** The text with a character of its own in the place of each chosen name, which no rule of the markup changes. */
function withMarks(text: string, chosen: readonly ChosenMention[]): string {
  let marked = "";
  let end = 0;
  for (const [n, mention] of chosen.entries()) {
    marked += `${text.slice(end, mention.start)}@${String.fromCodePoint(FIRST_MARK + n)}`;
    end = mention.end;
  }
  return marked + text.slice(end);
}

/**
 * R-MENT-2: whom a text mentions, outside code and addresses. Chosen mentions count by their place, other ones by `@id` or
 * `@name` as whole words, ignoring case and the form of accents.
 */
export function mentionsIn(text: string, people: People): MentionsFound {
  const found: MentionsFound = { ids: [], unknown: [], shared: [] };
  if (!text.includes("@")) return found;
  const { earlier = [], others = [], me } = people;
  const known = directory([...earlier, ...others]);
  const mine = new Set(me && keysOf(me));
  const names = [...known.keys(), ...mine];
  const userOf = (name: string): Named | undefined => meant(name, known.get(mentionKey(name)) ?? [], earlier);
  const chosen = (people.chosen ?? []).filter((mention) => !isContinued(text, mention, names, userOf));
  const ids = new Set<string>();
  const unmeant = { unknown: new Set<string>(), shared: new Set<string>() };
  const marked = withMarks(text, chosen);
  for (const span of markup?.mentionablesIn(marked, { names }) ?? plainSpans(marked, names)) {
    if (span.kind === "text")
      for (const [, mark] of span.text.matchAll(MARKS)) {
        const mention = chosen[mark!.codePointAt(0)! - FIRST_MARK];
        if (mention) ids.add(mention.user.id);
      }
    else {
      const user = userOf(span.name);
      if (user) ids.add(user.id);
      else if (known.has(mentionKey(span.name))) unmeant.shared.add(span.name);
      else if (!mine.has(mentionKey(span.name))) unmeant.unknown.add(span.name);
    }
  }
  found.ids = [...ids].slice(0, MENTIONS_LIMIT);
  found.unknown = [...unmeant.unknown];
  found.shared = [...unmeant.shared];
  return found;
}

/** Whether letters typed right after a chosen name have made it the name of somebody else: `@Bo` that became `@Bob`. */
function isContinued(
  text: string,
  { user, start, end }: ChosenMention,
  names: readonly string[],
  userOf: (name: string) => Named | undefined,
): boolean {
  if (!/^[\p{L}\p{N}_]/u.test(text.slice(end))) return false;
  const [first] = namesIn(text.slice(start), nameTable(names));
  const other = first?.at === 0 && first.name.length >= end - start ? userOf(first.name) : undefined;
  return other !== undefined && other.id !== user.id;
}

/** Where a text mentions these people, who are known to be mentioned in it: also before letters that only chosen names may have. */
export function locateMentions(text: string, users: readonly Named[]): ChosenMention[] {
  if (users.length === 0 || !text.includes("@")) return [];
  const names = users.flatMap(namesOf);
  const waiting = [...users];
  const located: ChosenMention[] = [];
  for (const { at, name } of namesIn(text, nameTable(names, attachedNames(text, users)))) {
    const key = mentionKey(name);
    const isNamed = (user: Named): boolean => keysOf(user).includes(key);
    const user = waiting.find(isNamed) ?? users.findLast(isNamed);
    if (!user) continue;
    if (waiting.includes(user)) waiting.splice(waiting.indexOf(user), 1);
    located.push({ user, start: at, end: at + 1 + name.length });
  }
  return located;
}

/** The names of mentioned people that stand nowhere in the text as whole words, so that letters follow them: `@Sam님`. */
export function attachedNames(text: string, users: readonly Named[]): string[] {
  const written = new Set(
    [...namesIn(text, nameTable(users.flatMap(namesOf)))].map(({ name }) => mentionKey(name)),
  );
  return users.filter((user) => !keysOf(user).some((key) => written.has(key))).flatMap(namesOf);
}

/** The chosen mentions after a change of the text; one that was changed itself is none any more. `cursor`: where the change ended. */
export function movedMentions(
  chosen: readonly ChosenMention[],
  before: string,
  after: string,
  cursor: number,
): readonly ChosenMention[] {
  if (chosen.length === 0 || before === after) return chosen;
  const shared = Math.min(before.length, after.length);
  let tail = after.length - cursor;
  if (tail > shared || !before.endsWith(after.slice(cursor)))
    for (tail = 0; tail < shared && before.at(-1 - tail) === after.at(-1 - tail);) tail++;
  let head = 0;
  while (head < shared - tail && before[head] === after[head]) head++;
  const shift = after.length - before.length;
  let from = head;
  return chosen.flatMap((mention): ChosenMention[] => {
    const { user, start, end } = mention;
    if (end <= head) return [mention];
    if (start >= before.length - tail) return [{ user, start: start + shift, end: end + shift }];
    const at = sameMention(before, mention, after, from);
    if (at < 0 || at + end - start > after.length - tail) return [];
    from = at + end - start;
    return [{ user, start: at, end: from }];
  });
}

/** Where a mention stands in a text that was rewritten around it, such as by `/me`; -1 if it does not. */
function sameMention(before: string, { start, end }: ChosenMention, after: string, from: number): number {
  const written = before.slice(start, end);
  const at = after.indexOf(written, from);
  if (at < 0) return -1;
  const next = after.slice(at + written.length);
  return next[0] === before[end] || !/^[\p{L}\p{M}\p{N}]/u.test(next) ? at : -1;
}

/** How far before the cursor an incomplete mention may begin, UTF-16 units. */
const MAX_TRIGGER = 200;

/** An incomplete word that is being completed. */
export interface Trigger {
  /** UTF-16 index of the trigger character. */
  start: number;
  query: string;
}

/** R-MENT-3: the `@` before the cursor that may begin a mention, followed by up to three words of a name. */
export function mentionTrigger(text: string, cursor: number): Trigger | undefined {
  const word = /@((?:[^\s@]+ ){0,2}[^\s@]+|)$/.exec(text.slice(Math.max(0, cursor - MAX_TRIGGER), cursor));
  const start = cursor - (word?.[0].length ?? 0);
  return word && mayBegin(text, start) ? { start, query: word[1]! } : undefined;
}

/** R-MENT-5: users that match by id or name, ordered by rank, name and id, without the current user. */
export function matchingUsers(users: Iterable<User>, query: string, me: string | undefined): User[] {
  const foldedQuery = fold(query);
  return [...users]
    .flatMap((user) => {
      const rank = user.id === me ? undefined : bestRank([user.id, user.name ?? ""], foldedQuery);
      return rank === undefined ? [] : [{ user, rank, label: fold(user.name || user.id) }];
    })
    .toSorted((a, b) => a.rank - b.rank || compare(a.label, b.label) || compare(a.user.id, b.user.id))
    .map(({ user }) => user);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
