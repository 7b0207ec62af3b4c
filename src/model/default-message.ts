/** Chooses the message that a chat command acts on if none is named. */
import { isPresent } from "./message-state.ts";
import { parentOf, shownSet } from "./select.ts";
import type { ClientMessage, State, ThreadRef } from "./state.ts";

/** The kind of default message: any, one of the user's own, or one with a poll. */
export type DefaultMessage = "message" | "mine" | "poll";

function fits(message: ClientMessage, which: DefaultMessage, me: string | undefined): boolean {
  if (!isPresent(message) || message.type === "system") return false;
  return which === "poll" ? message.poll !== undefined : which === "message" || message.user?.id === me;
}

/** The newest message of the kind in a channel or thread; in a thread, the parent message counts, too. */
export function newestDefault(
  state: State,
  place: ThreadRef,
  which: DefaultMessage,
  me: string | undefined,
): ClientMessage | undefined {
  const messages = shownSet(state, place)?.messages;
  for (let i = (messages?.length ?? 0) - 1; i >= 0; i--) {
    const message = messages!.at(i)!;
    if (fits(message, which, me)) return message;
  }
  const parent = place.parentId === undefined ? undefined : parentOf(state, place.cid, place.parentId);
  return parent && fits(parent, which, me) ? parent : undefined;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Whether a word is the id of a message or a poll: one that is loaded, or one of the form that clients make. */
export function namesMessage(state: State, place: ThreadRef, word: string): boolean {
  if (UUID.test(word) || word === place.parentId) return true;
  const messages = shownSet(state, place)?.messages;
  if (!messages) return false;
  return messages.indexOf(word) >= 0 || [...messages].some(({ poll }) => poll?.id === word);
}
