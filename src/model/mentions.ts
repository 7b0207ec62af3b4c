/** Finds mentions in a text, and users that match an incomplete mention (R-MENT). */
import { namesIn } from "../text/mentions.ts";
import { cleanName } from "../text/sanitize.ts";
import { MENTIONS_LIMIT } from "../wire/constants.ts";
import type { User } from "../wire/entities/user.ts";
import { bestRank } from "./matching.ts";
import { fold } from "../text/fold.ts";

type Named = Pick<User, "id" | "name">;

/** The id and the name, both raw and as shown, since a name may contain characters that are not shown. */
const namesOf = ({ id, name }: Named): string[] => [id, ...(name ? [name, cleanName(name)] : [])];

/**
 * R-MENT-2: ids of the chosen users whose `@id` or `@name` is in the text, case-sensitive, each once, at most 25, in their
 * order. A full name that no chosen user has mentions the user of `others` with that name, if there is only one.
 */
export function mentionedIn(text: string, chosen: readonly Named[], others: readonly Named[] = []): string[] {
  if (!text.includes("@")) return [];
  const names = [...new Set([...chosen, ...others].flatMap(namesOf))].toSorted((a, b) => b.length - a.length);
  const found = new Set([...namesIn(text, names)].map(({ name }) => name));
  const named = (users: readonly Named[], name: string): Named[] =>
    users.filter((user) => namesOf(user).includes(name));
  const ids = chosen.filter((user) => namesOf(user).some((name) => found.has(name))).map(({ id }) => id);
  for (const name of others.length > 0 ? found : []) {
    const [user, ...namesakes] = named(others, name);
    if (user && namesakes.length === 0 && named(chosen, name).length === 0) ids.push(user.id);
  }
  return [...new Set(ids)].slice(0, MENTIONS_LIMIT);
}

/** How far before the cursor an incomplete mention may begin, UTF-16 units. */
const MAX_TRIGGER = 200;

/** An incomplete word that is being completed. */
export interface Trigger {
  /** UTF-16 index of the trigger character. */
  start: number;
  query: string;
}

/** R-MENT-3: the `@` before the cursor, at the start of the text or after white space, followed by up to three words of a name. */
export function mentionTrigger(text: string, cursor: number): Trigger | undefined {
  const word = /(?:^|\s)@((?:[^\s@]+ ){0,2}[^\s@]+|)$/.exec(
    text.slice(Math.max(0, cursor - MAX_TRIGGER), cursor),
  );
  return word ? { start: cursor - word[1]!.length - 1, query: word[1]! } : undefined;
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
