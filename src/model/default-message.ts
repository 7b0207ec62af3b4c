/** Which message a chat command acts on when it names none. */
import { isPresent } from "./message-state.ts";
import { parentOf, shownSet } from "./select.ts";
import type { HeldMessage, State, ThreadRef } from "./state.ts";

/** What stands in where no message is named: any, one of mine, or one with a poll. */
export type DefaultMessage = "message" | "mine" | "poll";

function fits(message: HeldMessage, which: DefaultMessage, me: string | undefined): boolean {
  if (!isPresent(message) || message.type === "system") return false;
  return which === "poll" ? message.poll !== undefined : which === "message" || message.user?.id === me;
}

/** The newest of its kind in a place; in a thread also the message it hangs from. */
export function newestDefault(
  state: State,
  place: ThreadRef,
  which: DefaultMessage,
  me: string | undefined,
): HeldMessage | undefined {
  const messages = shownSet(state, place)?.messages;
  for (let i = (messages?.length ?? 0) - 1; i >= 0; i--) {
    const message = messages!.at(i)!;
    if (fits(message, which, me)) return message;
  }
  const parent = place.parentId === undefined ? undefined : parentOf(state, place.cid, place.parentId);
  return parent && fits(parent, which, me) ? parent : undefined;
}

/** The UUID in the ids that clients make. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** A word that names a message or a poll by its id: one that is held here, or one as clients make them. */
export function namesMessage(state: State, place: ThreadRef, word: string): boolean {
  if (UUID.test(word) || word === place.parentId) return true;
  const messages = shownSet(state, place)?.messages;
  if (!messages) return false;
  return messages.indexOf(word) >= 0 || [...messages].some(({ poll }) => poll?.id === word);
}
