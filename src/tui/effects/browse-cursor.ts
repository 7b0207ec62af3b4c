/** Holds the list still and the cursor on its message while the user browses (specification/screen.md §2). */
import type { MessageSet, ThreadRef } from "../../model/state.ts";
import { shownSet } from "../../model/select.ts";
import type { Ports } from "../ports/ports.ts";
import { withScroll } from "../screen/transitions.ts";
import { browsePlace, scrollOf, type Screen } from "../screen/screen.ts";
import { placeKey } from "../screen/place-key.ts";
import type { Reads } from "../screen/store.ts";

/** The cursor's message and its neighbours when the list was last seen. */
interface LastPosition {
  key: string;
  id: string;
  before: string | undefined;
  after: string | undefined;
  newest: string | undefined;
}

type Messages = MessageSet["messages"];

function positionIn(messages: Messages, key: string, id: string): LastPosition {
  const index = messages.indexOf(id);
  const idAt = (at: number): string | undefined => (at < 0 ? undefined : messages.at(at)?.id);
  return { key, id, before: idAt(index - 1), after: idAt(index + 1), newest: idAt(messages.length - 1) };
}

/** The message to select instead of one that is gone: its neighbour if only it was deleted, none if a whole part of the list is gone. */
function successor(messages: Messages, { before, after }: LastPosition): string | undefined {
  const isThere = (id: string | undefined): boolean => id === undefined || messages.indexOf(id) >= 0;
  return isThere(before) && isThere(after) ? (after ?? before) : undefined;
}

/** The anchor that keeps the rows where they are when newer messages have arrived; undefined if none have, or the list does not stick to the end. */
function heldAnchor(
  screen: Pick<Screen, "views">,
  place: ThreadRef,
  messages: Messages,
  { newest }: LastPosition,
): string | undefined {
  const isAtEnd = scrollOf(screen, place).anchor === undefined;
  const at = newest === undefined ? -1 : messages.indexOf(newest);
  return isAtEnd && at >= 0 && at < messages.length - 1 ? newest : undefined;
}

/** Returns a function to call after every change of the model. */
export function browseCursorKeeper({
  store,
  core,
}: Pick<Ports, "store" | "core">): (
  model: Reads<"state" | "cid" | "other" | "panels" | "focus" | "views">,
) => void {
  let last: LastPosition | undefined;
  let messages: object | undefined;
  let held: string | undefined;
  let otherHeld: string | undefined;
  const hold = (cid: string | undefined, other: string | undefined): void => {
    if (held === cid && otherHeld === other) return;
    for (const one of [held, otherHeld])
      if (one !== undefined && one !== cid && one !== other) core.hold(one, false);
    for (const one of [cid, other])
      if (one !== undefined && one !== held && one !== otherHeld) core.hold(one, true);
    [held, otherHeld] = [cid, other];
  };
  const change = (place: ThreadRef, to: ReturnType<typeof scrollOf>): void =>
    store.update((s) => withScroll(s, place, to), false);

  return ({ state, screen }) => {
    const place = browsePlace(screen);
    const view = scrollOf(screen, place);
    const isBrowsing = screen.focus !== "composer" && view.selected !== undefined;
    const { other } = screen;
    // The half without the focus stays where it was scrolled to.
    const otherCid = other && scrollOf(screen, { cid: other.cid }).anchor ? other.cid : undefined;
    hold(place && (isBrowsing || view.anchor) ? place.cid : undefined, otherCid);
    const set = place && shownSet(state, place);
    if (!place || !set || view.selected === undefined || screen.focus === "composer") {
      last = messages = undefined;
      return;
    }
    if (set.messages === messages && last?.id === view.selected) return;
    messages = set.messages;
    const key = placeKey(place);
    const before = last?.key === key && last.id === view.selected ? last : undefined;
    if (set.messages.indexOf(view.selected) >= 0) {
      last = positionIn(set.messages, key, view.selected);
      const anchorId = before && heldAnchor(screen, place, set.messages, before);
      // The row is cut to the last one of the message.
      if (anchorId !== undefined)
        change(place, { ...view, anchor: { id: anchorId, row: Number.MAX_SAFE_INTEGER }, seenId: anchorId });
    } else if (before && set.messages.length > 0) {
      const { selected: _gone, ...rest } = view;
      const selected = successor(set.messages, before);
      change(place, selected === undefined ? rest : { ...rest, selected });
    }
  };
}
