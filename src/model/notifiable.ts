/** Which messages may notify the user (specification/screen.md §7). */
import { timeToMs } from "../wire/time.ts";
import type { Message } from "../wire/entities/message.ts";
import type { OwnUser } from "../wire/entities/user.ts";
import { fold } from "../text/fold.ts";
import { hasWholeWord } from "../text/searched-words.ts";
import { isUserMuted } from "./mutes.ts";

/** Not for the user's own, silent and system messages, nor for those of muted users; `now` is provider time in milliseconds. */
export function isNotifiable(
  { user, silent, type }: Partial<Pick<Message, "user" | "silent" | "type">>,
  me: OwnUser | undefined,
  now: number,
): boolean {
  if (silent === true || type === "system" || user === undefined) return false;
  return user.id !== me?.id && !isUserMuted(me, user.id, now);
}

/** A message that quotes the user, or replies to them or in a thread whose first message names them among those who took part. */
export function answersMe(
  { quoted_message: quoted }: Pick<Message, "quoted_message">,
  me: string | undefined,
  parent: Pick<Message, "user" | "thread_participants"> | undefined,
): boolean {
  if (me === undefined) return false;
  const participants = parent?.thread_participants ?? [];
  return quoted?.user?.id === me || parent?.user?.id === me || participants.some(({ id }) => id === me);
}

/** When do-not-disturb ends at the provider, ms; 0 if it was never on. */
export function quietEnd(me: OwnUser | undefined): number {
  const until = me?.push_preferences?.disabled_until;
  return until === undefined ? 0 : timeToMs(until);
}

/** Whether the text contains one of the keywords, separated by commas of any script, as a whole word. */
export function hasKeyword(text: string, keywords: string): boolean {
  const folded = fold(text);
  return keywords.split(/[,，、،]/).some((word) => hasWholeWord(folded, fold(word.trim())));
}
