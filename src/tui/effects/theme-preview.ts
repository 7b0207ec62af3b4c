/** Previews a theme while the cursor of the list of themes is on it. */
import type { Ports } from "../ports/ports.ts";
import { topPopup } from "../screen/popup.ts";
import type { Model } from "../screen/store.ts";
import { choicesOf } from "../views/popup/choices.ts";

/** Shows the theme under the cursor, and the chosen one again when the list is left. */
export function themePreview({ store, themes }: Pick<Ports, "store" | "themes">): (model: Model) => void {
  let shown: string | undefined;
  return ({ screen, now, look }) => {
    const popup = topPopup(screen);
    const choosing = popup?.kind === "picker" && popup.name === "theme";
    const wanted = choosing ? choicesOf(popup, now, look.utc)[popup.selected]?.value : undefined;
    if (wanted === shown) return;
    shown = wanted;
    store.restyle((old) => ({ ...old, theme: themes.make(wanted ?? themes.chosen()) }));
  };
}
