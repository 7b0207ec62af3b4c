/** Places the terminal's cursor in the popup on top, else in the search line or the composer. */
import { useCursor } from "ink";
import { memo } from "react";
import { useModelParts, usePorts } from "./components/context.ts";
import { isFiltering, isSearching } from "./screen/screen.ts";
import { topPopup } from "./screen/popup.ts";
import type { Ports } from "./ports/ports.ts";
import type { Reads } from "./screen/store.ts";
import { CONTEXT_SLICES } from "./views/composer/composer-context.ts";
import { composerCursor } from "./views/composer/composer.tsx";
import { fieldsCursor } from "./views/forms/rows.ts";
import { formCursor } from "./views/poll/rows.ts";
import { popupCursor } from "./views/popup/rows.ts";
import { filterCaret } from "./views/sidebar/sidebar.tsx";
import { searchCaret } from "./views/search/search.tsx";

const SLICES = ["layout", "popups", "focus", "search", "sidebar", ...CONTEXT_SLICES] as const;

const HIDDEN: { x?: number; y?: number } = {};

function caretOf(model: Reads<(typeof SLICES)[number]>, core: Ports["core"]): { x?: number; y?: number } {
  const popup = topPopup(model.screen);
  if (popup?.kind === "poll")
    return formCursor(core.composer(popup.place).poll.state().form, { ...model.layout, ...popup }) ?? HIDDEN;
  if (popup?.kind === "fields") return fieldsCursor(popup, model.layout) ?? HIDDEN;
  if (popup) return popupCursor(popup, model.layout) ?? HIDDEN;
  if (isSearching(model.screen)) return searchCaret(model) ?? HIDDEN;
  if (isFiltering(model.screen)) return filterCaret(model) ?? HIDDEN;
  return model.screen.focus === "composer" ? composerCursor(model, core.userId) : HIDDEN;
}

/** The only component that sets the cursor: if several did, the last one rendered would win. */
export const Caret = memo(() => {
  const { core } = usePorts();
  const { x, y } = useModelParts(SLICES, (model) => caretOf(model, core));
  const { setCursorPosition } = useCursor();
  setCursorPosition(x === undefined || y === undefined ? undefined : { x, y });
  return null;
});
