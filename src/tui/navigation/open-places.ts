/** Opens a list of places: what no list of the provider contains is loaded for the first one. */
import { attempt, openPicker } from "../screen/notices.ts";
import type { Picker } from "../screen/popup.ts";
import type { Ports } from "../ports/ports.ts";
import { loadHiddenOnce } from "./channel-pages.ts";
import { choicesOf, withCursorOn } from "../screen/choices.ts";

/** Opens a picker of places; its choices are made anew when channels have been added. */
export function openPlaces(
  ports: Pick<Ports, "core" | "store">,
  picker: () => Pick<Picker, "title" | "choices"> & Partial<Pick<Picker, "query">>,
): void {
  const { store } = ports;
  attempt(ports, loadHiddenOnce(ports.core));
  let size = store.state.channels.size;
  openPicker(ports, {
    ...picker(),
    refresh: (open) => {
      if (store.state.channels.size === size) return open;
      size = store.state.channels.size;
      const next = { ...open, choices: picker().choices };
      // A cursor that was not moved is on the best match, also of the new ones.
      const cursor = open.selected > 0 ? choicesOf(open, store.get())[open.selected] : undefined;
      return withCursorOn(next, cursor?.label, store.get());
    },
  });
}
