/** Typing in the line of text of a panel. */
import { edit, insert } from "../../editor/edits.ts";
import { lineActions } from "../../editor/line-actions.ts";
import type { EditorState } from "../../editor/state.ts";
import { focusedPanel } from "../../ports/panels.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { panelPopped } from "../../screen/transitions.ts";

function changeLine(ports: Ports, change: (editor: EditorState) => EditorState): void {
  const { line } = focusedPanel(ports.store.screen)?.of ?? {};
  line?.change(ports, change(line.editor(ports)));
}

/** Inserts the first line of typed or pasted text. */
export function typeInPanel(ports: Ports, text: string): void {
  const line = text.split(/[\r\n]/)[0] ?? "";
  if (line !== "") changeLine(ports, (editor) => insert(editor, line));
}

/** Clears the line; an empty one closes the panel. */
function clearOrClose(ports: Ports): void {
  const isEmpty = focusedPanel(ports.store.screen)?.of.line?.editor(ports).text === "";
  if (isEmpty) ports.store.update(panelPopped);
  else changeLine(ports, (editor) => edit(editor, "killAll"));
}

/** Actions of the composer that also work in the line. */
const LINE_EDITS = {
  ...lineActions(changeLine),
  yank: (ports) => changeLine(ports, (editor) => edit(editor, "yank")),
  clear: clearOrClose,
} satisfies Record<string, Action>;

/** Combines the actions: each applies to the line of the panel if it is focused, else to the composer. */
export function inFocusedLine<T extends Record<keyof typeof LINE_EDITS, Action>>(box: T): T {
  const names = Object.keys(LINE_EDITS) as (keyof typeof LINE_EDITS)[];
  const either = names.map((name): [string, Action] => [
    name,
    (ports) => (focusedPanel(ports.store.screen)?.of.line ? LINE_EDITS[name] : box[name])(ports),
  ]);
  return { ...box, ...Object.fromEntries(either) };
}
