/** The range of selected messages, from its start to the cursor. */
import { isPresent } from "../../model/message-state.ts";
import { shownSet } from "../../model/select.ts";
import type { ClientMessage } from "../../model/state.ts";
import { browsePlace, scrollOf } from "./screen.ts";
import { placeKey } from "./place-key.ts";
import type { Snapshot } from "./store.ts";

/** The selected messages, oldest first; undefined if no range is selected in the focused list. */
export function selectedRange({
  state,
  screen,
}: Pick<Snapshot, "state" | "screen">): ClientMessage[] | undefined {
  const place = browsePlace(screen);
  if (!screen.range || !place || placeKey(place) !== screen.range.key) return undefined;
  const set = shownSet(state, place);
  const { selected } = scrollOf(screen, place);
  if (!set || selected === undefined) return undefined;
  const ends = [set.messages.indexOf(screen.range.from), set.messages.indexOf(selected)];
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  return from < 0 ? [] : set.messages.slice(from, to + 1);
}

/** The messages that reached the provider. */
export const sentMessages = (messages: readonly ClientMessage[]): ClientMessage[] =>
  messages.filter(isPresent);
