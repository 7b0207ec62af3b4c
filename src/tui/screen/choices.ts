/** The choices of the open picker, and what keeps them up to date. */
import type { Core } from "../../core/core.ts";
import { showNotice } from "./notices.ts";
import {
  popupChanged,
  popupPopped,
  topPopup,
  type Choice,
  type Picker,
  type PickerInput,
  type Popup,
} from "./popup.ts";
import { memoizeLast, type Model, type ScreenStore } from "./store.ts";
import { filterChoices } from "./filter-choices.ts";

type Inputs = Pick<Model, "now" | "look">;

/** Memoised, because the list, its keys and its hints all request it. */
const memoizedChoices = memoizeLast(
  (picker: Picker, now: number, utc: boolean, places: PickerInput["places"]): readonly Choice[] => {
    const { choices } = picker;
    const query = picker.query.trim();
    return typeof choices === "function"
      ? choices({ query, now, utc, places })
      : filterChoices(choices, query);
  },
);

/** The choices shown by a picker; none for other popups. */
export const choicesOf = (popup: Popup | undefined, { now, look }: Inputs): readonly Choice[] =>
  popup?.kind === "picker"
    ? memoizedChoices(popup, popup.followsTime ? now : 0, look.utc, look.maps?.atlas?.places)
    : [];

export const selectedChoice = (popup: Popup | undefined, inputs: Inputs): Choice | undefined =>
  popup?.kind === "picker" ? choicesOf(popup, inputs)[popup.selected] : undefined;

/** The picker with the cursor on the choice of this label, wherever that is now. */
export function withCursorOn(picker: Picker, label: string | undefined, inputs: Inputs): Picker {
  const at = choicesOf(picker, inputs).findIndex((choice) => choice.label === label);
  return { ...picker, selected: Math.max(0, at) };
}

/** Brings the open picker up to date after a change; closes it if it cannot go on. */
export function refreshPicker(ports: { core: Pick<Core, "notify">; store: ScreenStore }): void {
  const { store } = ports;
  const picker = topPopup(store.screen);
  if (picker?.kind !== "picker" || !picker.refresh) return;
  const next = picker.refresh(picker);
  if (typeof next === "string") {
    store.update(popupPopped);
    showNotice(ports, next, "warning");
  } else if (next !== picker) store.update((s) => popupChanged(s, () => next), false);
}
