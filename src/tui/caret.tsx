/** Places the terminal's cursor in the popup on top, else in the search line or the composer. */
import { useCursor } from "ink";
import { memo } from "react";
import { useModel, usePorts } from "./components/context.ts";
import { isFiltering, isSearching } from "./screen/screen.ts";
import { topPopup } from "./screen/popup.ts";
import type { Ports } from "./ports/ports.ts";
import type { Model } from "./screen/store.ts";
import { composerCursor } from "./views/composer/composer.tsx";
import { fieldsCursor } from "./views/forms/rows.ts";
import { formCursor } from "./views/poll/rows.ts";
import { popupCursor } from "./views/popup/rows.ts";
import { filterCaret } from "./views/sidebar/sidebar.tsx";
import { searchCaret } from "./views/search/search.tsx";

/** Undefined hides the cursor. */
function caretOf(model: Model, core: Ports["core"]): { x: number; y: number } | undefined {
  const popup = topPopup(model.screen);
  if (popup?.kind === "poll")
    return formCursor(core.composer(popup.place).poll.state().form, { ...model.layout, ...popup });
  if (popup?.kind === "fields") return fieldsCursor(popup, model.layout);
  if (popup) return popupCursor(popup, model.layout);
  if (isSearching(model.screen)) return searchCaret(model);
  if (isFiltering(model.screen)) return filterCaret(model);
  return model.screen.focus === "composer" ? composerCursor(model, core.userId) : undefined;
}

/** The only component that sets the cursor: if several did, the last one rendered would win. */
export const Caret = memo(() => {
  const { core } = usePorts();
  const x = useModel((model) => caretOf(model, core)?.x);
  const y = useModel((model) => caretOf(model, core)?.y);
  const { setCursorPosition } = useCursor();
  setCursorPosition(x === undefined || y === undefined ? undefined : { x, y });
  return null;
});
