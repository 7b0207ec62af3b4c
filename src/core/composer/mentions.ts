/** Which remembered users a text really mentions (R-MENT-2). */
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
