/** One input event to one action: which context has the keys, what a chord means there, and what text does. */
import { chordsOf } from "./input/chord.ts";
import type { InputEvent } from "./input/events.ts";
import type { Where } from "./keys/action-table.ts";
import { HANDLERS } from "./handlers.ts";
import { answerKey, pickTyped } from "./views/popup/actions.ts";
import { mouse } from "./mouse.ts";
import { runLine } from "./actions/slash.ts";
import { insertText, pasteText } from "./actions/writing.ts";
import { lookup } from "./keys/tables.ts";
import type { Binding } from "./keys/tables.ts";
import { focused } from "./screen/moves.ts";
import { topPopup } from "./screen/screen.ts";
import type { Screen } from "./screen/screen.ts";
import type { Ui } from "./ui.ts";

/** The contexts that are asked for a chord, in order. */
function contextsOf(screen: Screen): Where[] {
  if (screen.popups.length) return ["popup"];
  switch (screen.focus) {
    case "composer":
      return screen.completion?.items.length ? ["complete", "write", "global"] : ["write", "global"];
    case "sidebar":
      return ["sidebar", "global"];
    default:
      return ["browse", "global"];
  }
}

function run(ui: Ui, binding: Binding): void {
  if (binding.startsWith("/")) runLine(ui, binding);
  else {
    try {
      HANDLERS[binding as keyof typeof HANDLERS](ui);
    } catch (error) {
      ui.fail(error);
    }
  }
}

function key(ui: Ui, chord: string, text: string | undefined): void {
  const { screen } = ui;
  const popup = topPopup(screen);
  if (popup?.kind === "confirm" && answerKey(ui, popup, chord, text)) return;
  const contexts = contextsOf(screen);
  const pending = screen.pendingKey;
  // Where letters are text they are never bindings, but for the second half of a chord.
  const types = text !== undefined && (popup !== undefined || screen.focus === "composer");
  if (!types || pending !== undefined) {
    const found = lookup(ui.keys, contexts, chord, pending);
    if (pending !== undefined) ui.change((s) => ({ ...s, pendingKey: undefined }));
    if (found.kind === "prefix") return ui.change((s) => ({ ...s, pendingKey: chord }));
    if (found.kind === "binding") {
      if (screen.leaving && found.binding !== "clear") ui.change((s) => ({ ...s, leaving: false }));
      return run(ui, found.binding);
    }
    if (pending !== undefined) return;
  }
  if (text === undefined) return;
  if (popup) return pickTyped(ui, popup, text);
  if (screen.focus === "composer") insertText(ui, text);
}

/** Everything the terminal says goes through here; a chunk of typed text is inserted in one step. */
export function handle(ui: Ui, event: InputEvent): void {
  switch (event.type) {
    case "text": {
      const { screen } = ui;
      if (screen.pendingKey === undefined && !screen.popups.length && screen.focus === "composer")
        return insertText(ui, event.text);
      for (const chord of chordsOf(event)) key(ui, chord, chord === "space" ? " " : chord);
      return;
    }
    case "key":
      for (const chord of chordsOf(event)) key(ui, chord, undefined);
      return;
    case "paste":
      if (topPopup(ui.screen))
        return pickTyped(ui, topPopup(ui.screen)!, event.text.split(/[\r\n]/)[0] ?? "");
      if (ui.screen.focus !== "composer") ui.change((s) => focused(s, "composer"));
      return pasteText(ui, event.text);
    case "mouse":
      return mouse(ui, event);
    case "focus":
      ui.change((s) => (s.windowFocused === event.on ? s : { ...s, windowFocused: event.on }));
      return;
    case "reply":
  }
}
