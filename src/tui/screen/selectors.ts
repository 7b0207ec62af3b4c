/** What is looked up in a snapshot again and again. */
import { newestMeant } from "../../model/meant.ts";
import type { Meant } from "../../model/meant.ts";
import { isPresent } from "../../model/message-state.ts";
import { parentOf, shownSet } from "../../model/select.ts";
import type { ChannelEntry, HeldMessage, State, ThreadRef } from "../../model/state.ts";
import { browsePlace, viewOf } from "./screen.ts";
import type { Snapshot } from "./store.ts";

type Given = Pick<Snapshot, "state" | "screen">;

/** The channel in the middle. */
export const openEntry = ({ state, screen }: Given): ChannelEntry | undefined =>
  screen.cid === undefined ? undefined : state.channels.get(screen.cid);

/** A message of the list that a place shows, or the one its thread hangs from. */
export function messageIn(state: State, place: ThreadRef, id: string): HeldMessage | undefined {
  const set = shownSet(state, place);
  const at = set?.messages.indexOf(id) ?? -1;
  if (at >= 0) return set!.messages.at(at);
  return place.parentId === id ? parentOf(state, place.cid, id) : undefined;
}

/** The message that a command means when it names none: the one under the browse cursor, else the newest of its kind. */
export function meantIn({ state, screen }: Given, place: ThreadRef, which: Meant): HeldMessage | undefined {
  const { selected } = viewOf(screen, place);
  const chosen = selected === undefined ? undefined : messageIn(state, place, selected);
  return chosen && isPresent(chosen) ? chosen : newestMeant(state, place, which, state.me?.id);
}

/** The message under the browse cursor. */
export function selectedIn({ state, screen }: Given): HeldMessage | undefined {
  const place = browsePlace(screen);
  const id = viewOf(screen, place).selected;
  return place && id !== undefined ? messageIn(state, place, id) : undefined;
}
