/** Selectors over a snapshot: channels and messages. */
import { newestDefault, type DefaultMessage } from "../../model/default-message.ts";
import { isPresent } from "../../model/message-state.ts";
import { parentOf, shownSet } from "../../model/select.ts";
import type { ChannelEntry, ClientMessage, State, ThreadRef } from "../../model/state.ts";
import { browsePlace, scrollOf } from "./screen.ts";
import type { Snapshot } from "./store.ts";

type ScreenState = Pick<Snapshot, "state" | "screen">;

/** The open channel. */
export const openEntry = ({ state, screen }: ScreenState): ChannelEntry | undefined =>
  screen.cid === undefined ? undefined : state.channels.get(screen.cid);

/** The target of a channel action: the channel selected in the focused sidebar, else the open channel. */
export function targetChannel({ state, screen }: ScreenState): ChannelEntry | undefined {
  const { focus, sidebar, cid } = screen;
  const at = focus === "sidebar" ? (sidebar.cursor ?? cid) : cid;
  return at === undefined ? undefined : state.channels.get(at);
}

/** The parent message of a thread, from its channel or from the list of threads. */
export function threadParent(
  { state, lists }: Pick<Snapshot, "state" | "lists">,
  cid: string,
  parentId: string,
): ClientMessage | undefined {
  const listed = lists.threads.threads.find((thread) => thread.parent_message_id === parentId);
  return parentOf(state, cid, parentId) ?? listed?.parent_message;
}

/** A message shown in a place, or the parent of its thread. */
export function messageIn(state: State, place: ThreadRef, id: string): ClientMessage | undefined {
  const set = shownSet(state, place);
  const at = set?.messages.indexOf(id) ?? -1;
  if (at >= 0) return set!.messages.at(at);
  return place.parentId === id ? parentOf(state, place.cid, id) : undefined;
}

/** The target of a command without a message id: the selected message, else the newest of its kind. */
export function defaultMessageIn(
  { state, screen }: ScreenState,
  place: ThreadRef,
  which: DefaultMessage,
): ClientMessage | undefined {
  const { selected } = scrollOf(screen, place);
  const chosen = selected === undefined ? undefined : messageIn(state, place, selected);
  return chosen && isPresent(chosen) ? chosen : newestDefault(state, place, which, state.me?.id);
}

/** The message under the browse cursor. */
export function selectedIn({
  state,
  lists,
  screen,
}: ScreenState & Pick<Snapshot, "lists">): ClientMessage | undefined {
  const place = browsePlace(screen);
  const id = scrollOf(screen, place).selected;
  if (!place || id === undefined) return undefined;
  const found = messageIn(state, place, id);
  return found ?? (place.parentId === id ? threadParent({ state, lists }, place.cid, id) : undefined);
}
