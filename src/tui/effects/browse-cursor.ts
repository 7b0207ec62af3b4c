/** Moves the browse cursor to the next message when the one under it is deleted. */
import { shownSet } from "../../model/select.ts";
import type { Ports } from "../ports/ports.ts";
import { withScroll } from "../screen/transitions.ts";
import { browsePlace, scrollOf } from "../screen/screen.ts";
import { placeKey } from "../screen/place-key.ts";
import type { Model } from "../screen/store.ts";

interface LastPosition {
  key: string;
  id: string;
  /** Its index in the message set at that time. */
  index: number;
}

/** Returns a function to call after every change of the model. */
export function browseCursorKeeper({ store }: Pick<Ports, "store">): (model: Model) => void {
  let last: LastPosition | undefined;
  let messages: object | undefined;
  return ({ state, screen }) => {
    const place = browsePlace(screen);
    const id = place && scrollOf(screen, place).selected;
    const set = place && shownSet(state, place);
    if (!place || !set || id === undefined || screen.focus === "composer") {
      last = messages = undefined;
      return;
    }
    if (set.messages === messages && last?.id === id) return;
    messages = set.messages;
    const key = placeKey(place);
    const index = set.messages.indexOf(id);
    if (index >= 0) last = { key, id, index };
    else if (last?.key === key && last.id === id && set.messages.length > 0) {
      const next = set.messages.at(Math.min(last.index, set.messages.length - 1));
      if (next)
        store.update((s) => withScroll(s, place, { ...scrollOf(s, place), selected: next.id }), false);
    }
  };
}
