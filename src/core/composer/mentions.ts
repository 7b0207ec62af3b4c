/** Mentions: where one begins, who may be meant, and which of the chosen a text really holds (R-MENT). */
import { MENTIONS_LIMIT } from "../../wire/constants.ts";
import type { User } from "../../wire/user.ts";

/** Ids of the users whose `@id` or `@name` stands in the text, case-sensitive, each once, at most 25, in order of choice. */
export function mentionedIn(text: string, remembered: readonly Pick<User, "id" | "name">[]): string[] {
  const ids = remembered
    .filter((user) => text.includes(`@${user.id}`) || (user.name && text.includes(`@${user.name}`)))
    .map((user) => user.id);
  return [...new Set(ids)].slice(0, MENTIONS_LIMIT);
}

/** R-MENT-1: what choosing a suggestion inserts. */
export function mentionText(user: Pick<User, "id" | "name">): string {
  return `@${user.name || user.id} `;
}

/** A word that is being completed: where it begins in the text, and what was written of it. */
export interface Trigger {
  /** UTF-16 index of the trigger character. */
  start: number;
  query: string;
}

/** R-MENT-3: the `@` of the word before the cursor, at the start of the text or after white space. */
export function mentionTrigger(text: string, cursor: number): Trigger | undefined {
  const word = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, cursor));
  return word ? { start: cursor - word[1]!.length - 1, query: word[1]! } : undefined;
}

/** Case and accents do not matter (R-MENT-5). */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** 0 where id or name begin with it, 1 where one holds it, undefined where none does. `wanted` is folded. */
function rank(user: Pick<User, "id" | "name">, wanted: string): 0 | 1 | undefined {
  const texts = [fold(user.id), fold(user.name ?? "")];
  if (texts.some((text) => text.startsWith(wanted))) return 0;
  return texts.some((text) => text.includes(wanted)) ? 1 : undefined;
}

/** R-MENT-5: all who match, prefix first, then by name and id; the own user is left out. */
export function matchingUsers(users: Iterable<User>, query: string, me: string | undefined): User[] {
  const wanted = fold(query);
  const label = (user: User): string => fold(user.name || user.id);
  return [...users]
    .flatMap((user) => {
      const place = user.id === me ? undefined : rank(user, wanted);
      return place === undefined ? [] : [{ user, place }];
    })
    .toSorted(
      (a, b) =>
        a.place - b.place ||
        (label(a.user) < label(b.user) ? -1 : label(a.user) > label(b.user) ? 1 : 0) ||
        (a.user.id < b.user.id ? -1 : 1),
    )
    .map(({ user }) => user);
}
