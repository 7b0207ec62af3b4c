/** Previews the theme under the cursor of the theme picker. */
import type { Ports } from "../ports/ports.ts";
import { topPopup } from "../screen/popup.ts";
import type { Model } from "../screen/store.ts";
import { selectedChoice } from "../views/popup/choices.ts";

/** Returns a function to call after every change; it restores the chosen theme when the picker closes. */
export function themePreview({ store, themes }: Pick<Ports, "store" | "themes">): (model: Model) => void {
  let shown: string | undefined;
  return (model) => {
    const highlighted = selectedChoice(topPopup(model.screen), model)?.theme;
    if (highlighted === shown) return;
    shown = highlighted;
    store.restyle((old) => ({ ...old, theme: themes.make(highlighted ?? themes.chosen()) }));
  };
}
