/** Places the terminal's cursor in the popup on top, else in the search line or the composer. */
import { useCursor } from "ink";
import { memo } from "react";
import { useModelParts, usePorts } from "./components/context.ts";
import { isFiltering } from "./screen/screen.ts";
import { topPopup } from "./screen/popup.ts";
import { belowTitle } from "./screen/layout.ts";
import { focusedPanel, PANEL_SLICES } from "./ports/panels.ts";
import type { Ports } from "./ports/ports.ts";
import type { Reads } from "./screen/store.ts";
import { CONTEXT_SLICES } from "./views/composer/composer-context.ts";
import { composerCursor } from "./views/composer/composer.tsx";
import { fieldsCursor } from "./views/forms/rows.ts";
import { formCursor } from "./views/poll/rows.ts";
import { choicesOf } from "./screen/choices.ts";
import { popupCursor } from "./views/popup/rows.ts";
import { filterCaret } from "./views/sidebar/sidebar.tsx";

const SLICES = [
  "layout",
  "look",
  "now",
  "popups",
  "focus",
  "sidebar",
  ...PANEL_SLICES,
  ...CONTEXT_SLICES,
] as const;

const HIDDEN: { x?: number; y?: number } = {};

/** In the line of the focused panel. */
function lineCaret(model: Reads<(typeof SLICES)[number]>): { x?: number; y?: number } | undefined {
  const { line } = focusedPanel(model.screen)?.of ?? {};
  if (!line) return undefined;
  if (!model.layout.panel) return HIDDEN;
  const body = belowTitle(model.layout.panel);
  const { x, y } = line.caret(model, body);
  return { x: body.x + x, y: body.y + y };
}

function caretOf(model: Reads<(typeof SLICES)[number]>, core: Ports["core"]): { x?: number; y?: number } {
  const popup = topPopup(model.screen);
  if (popup?.kind === "poll")
    return formCursor(core.composer(popup.place).poll.state().form, { ...model.layout, ...popup }) ?? HIDDEN;
  if (popup?.kind === "fields") return fieldsCursor(popup, model.layout) ?? HIDDEN;
  if (popup) return popupCursor(popup, choicesOf(popup, model), model.layout) ?? HIDDEN;
  if (model.screen.focus === "composer") return composerCursor(model);
  const line = lineCaret(model);
  if (line) return line;
  return (isFiltering(model.screen) ? filterCaret(model) : undefined) ?? HIDDEN;
}

/** The only component that sets the cursor: if several did, the last one rendered would win. */
export const Caret = memo(() => {
  const { core } = usePorts();
  const { x, y } = useModelParts(SLICES, (model) => caretOf(model, core));
  const { setCursorPosition } = useCursor();
  setCursorPosition(x === undefined || y === undefined ? undefined : { x, y });
  return null;
});
