/** Frequent lookups in a snapshot. */
import { newestDefault, type DefaultMessage } from "../../model/default-message.ts";
import { isPresent } from "../../model/message-state.ts";
import { parentOf, shownSet } from "../../model/select.ts";
import type { ChannelEntry, HeldMessage, State, ThreadRef } from "../../model/state.ts";
import { browsePlace, scrollOf } from "./screen.ts";
import type { Snapshot } from "./store.ts";

type Given = Pick<Snapshot, "state" | "screen">;

/** The channel in the middle. */
export const openEntry = ({ state, screen }: Given): ChannelEntry | undefined =>
  screen.cid === undefined ? undefined : state.channels.get(screen.cid);

/** The channel that an action on one is for: under the cursor of the sidebar while that has the keys, else the one in the middle. */
export function targetChannel({ state, screen }: Given): ChannelEntry | undefined {
  const { focus, sidebar, cid } = screen;
  const at = focus === "sidebar" ? (sidebar.cursor ?? cid) : cid;
  return at === undefined ? undefined : state.channels.get(at);
}

/** What a thread hangs from: held with its channel, or told with the list of threads. */
export function threadParent(
  { state, lists }: Pick<Snapshot, "state" | "lists">,
  cid: string,
  parentId: string,
): HeldMessage | undefined {
  const told = lists.threads.threads.find((thread) => thread.parent_message_id === parentId);
  return parentOf(state, cid, parentId) ?? told?.parent_message;
}

/** A message of the list that a place shows, or the one its thread hangs from. */
export function messageIn(state: State, place: ThreadRef, id: string): HeldMessage | undefined {
  const set = shownSet(state, place);
  const at = set?.messages.indexOf(id) ?? -1;
  if (at >= 0) return set!.messages.at(at);
  return place.parentId === id ? parentOf(state, place.cid, id) : undefined;
}

/** The message that a command means when it names none: the one under the browse cursor, else the newest of its kind. */
export function defaultMessageIn(
  { state, screen }: Given,
  place: ThreadRef,
  which: DefaultMessage,
): HeldMessage | undefined {
  const { selected } = scrollOf(screen, place);
  const chosen = selected === undefined ? undefined : messageIn(state, place, selected);
  return chosen && isPresent(chosen) ? chosen : newestDefault(state, place, which, state.me?.id);
}

/** The message under the browse cursor. */
export function selectedIn({
  state,
  lists,
  screen,
}: Given & Pick<Snapshot, "lists">): HeldMessage | undefined {
  const place = browsePlace(screen);
  const id = scrollOf(screen, place).selected;
  if (!place || id === undefined) return undefined;
  const found = messageIn(state, place, id);
  return found ?? (place.parentId === id ? threadParent({ state, lists }, place.cid, id) : undefined);
}
