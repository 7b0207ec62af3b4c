/** Who is mentioned by a text, and who could be by a word of it (R-MENT). */
import { namesIn } from "../text/mentions.ts";
import { cleanName } from "../text/sanitize.ts";
import { MENTIONS_LIMIT } from "../wire/constants.ts";
import type { User } from "../wire/entities/user.ts";
import { bestRank, fold } from "./matching.ts";

type Named = Pick<User, "id" | "name">;

/** As typed, and as it is shown: a name may hold what no screen shows. */
const namesOf = ({ id, name }: Named): string[] => [id, ...(name ? [name, cleanName(name)] : [])];

/**
 * R-MENT-2: ids of the chosen whose `@id` or `@name` stands in the text, case-sensitive, each once, at most 25, in their
 * order. A name that was written in full and that nobody chosen has means the one of `others` who has it; of several
 * nobody is meant.
 */
export function mentionedIn(text: string, chosen: readonly Named[], others: readonly Named[] = []): string[] {
  if (!text.includes("@")) return [];
  const names = [...new Set([...chosen, ...others].flatMap(namesOf))].toSorted((a, b) => b.length - a.length);
  const found = new Set([...namesIn(text, names)].map(({ name }) => name));
  const named = (users: readonly Named[], name: string): Named[] =>
    users.filter((user) => namesOf(user).includes(name));
  const ids = chosen.filter((user) => namesOf(user).some((name) => found.has(name))).map(({ id }) => id);
  for (const name of others.length > 0 ? found : []) {
    const [one, ...more] = named(others, name);
    if (one && more.length === 0 && named(chosen, name).length === 0) ids.push(one.id);
  }
  return [...new Set(ids)].slice(0, MENTIONS_LIMIT);
}

/** UTF-16 units before the cursor that a name which is being completed is looked for in. */
const LONGEST = 200;

/** A word that is being completed: where it begins in the text, and what was written of it. */
export interface Trigger {
  /** UTF-16 index of the trigger character. */
  start: number;
  query: string;
}

/** R-MENT-3: the `@` before the cursor, at the start of the text or after white space, with up to three words of a name behind it. */
export function mentionTrigger(text: string, cursor: number): Trigger | undefined {
  const word = /(?:^|\s)@((?:[^\s@]+ ){0,2}[^\s@]+|)$/.exec(
    text.slice(Math.max(0, cursor - LONGEST), cursor),
  );
  return word ? { start: cursor - word[1]!.length - 1, query: word[1]! } : undefined;
}

/** R-MENT-5: all who match by id or name, those first that begin with it, then by name and id; the own user is left out. */
export function matchingUsers(users: Iterable<User>, query: string, me: string | undefined): User[] {
  const wanted = fold(query);
  return [...users]
    .flatMap((user) => {
      const rank = user.id === me ? undefined : bestRank([user.id, user.name ?? ""], wanted);
      return rank === undefined ? [] : [{ user, rank, label: fold(user.name || user.id) }];
    })
    .toSorted((a, b) => a.rank - b.rank || compare(a.label, b.label) || compare(a.user.id, b.user.id))
    .map(({ user }) => user);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
