/** Vim's normal mode in the composer: Esc enters it, i and similar keys leave it. */
import { edit } from "../../editor/edits.ts";
import { pressVimKey, typeVimChar, vimKeys, type VimKey } from "../../editor/vim.ts";
import {
  NOTHING_TO_REPEAT,
  recordStep,
  repeatChange,
  stepOf,
  recordInsertMode,
  type RepeatMemory,
} from "../../editor/vim-repeat.ts";
import {
  clearPending,
  leaveInsertMode,
  NORMAL,
  clampToCharacter,
  type VimResult,
} from "../../editor/vim-state.ts";
import { withCompletion } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { undoOrRestore } from "./clear.ts";
import { moveRow } from "./text-actions.ts";

const memoryOf = ({ store }: Ports): RepeatMemory => store.screen.vimMemory ?? NOTHING_TO_REPEAT;

function apply(ports: Ports, { vim, editor }: VimResult, vimMemory = memoryOf(ports)): void {
  ports.boxes.setEditor(editor);
  ports.store.update((s) => withCompletion({ ...s, vim, vimMemory }, undefined));
}

/** Esc enters the normal mode if the key profile has one; false when Esc means something else. */
export function beginNormal(ports: Ports): boolean {
  const { screen } = ports.store;
  const { editor } = ports.boxes.at();
  const isBusy =
    screen.completion !== undefined || screen.popups.length > 0 || screen.pendingKey !== undefined;
  if (isBusy || screen.focus !== "composer" || editor.text === "") return false;
  if (Object.keys(ports.keys.normal).length === 0) return false;
  if (!screen.vim)
    apply(ports, { vim: NORMAL, editor: leaveInsertMode(editor) }, recordInsertMode(memoryOf(ports), editor));
  else if (screen.vim.keys !== "") apply(ports, { vim: clearPending(screen.vim), editor });
  else if (screen.vim.visual) apply(ports, { vim: NORMAL, editor });
  else return false;
  return true;
}

/** Handles a digit of a count, or the character that a command waits for; false for other keys. */
export function typeInNormal(ports: Ports, typed: string | undefined, chord: string): boolean {
  const { vim } = ports.store.screen;
  const { editor } = ports.boxes.at();
  // A character to find or to put is the one that was typed; the others are keys.
  const isKey = !vim?.awaits || vim.awaits === "inner" || vim.awaits === "around";
  const text = typed === undefined || !isKey ? typed : chord;
  const result = vim && text !== undefined ? typeVimChar(vim, editor, text) : undefined;
  if (!vim || text === undefined || !result) return false;
  apply(ports, result, recordStep(memoryOf(ports), stepOf(vim, text), { vim, editor }, result));
  return true;
}

/** Leaves the normal mode when the action has emptied the composer. */
export const leaveVimWhenEmpty =
  (action: Action): Action =>
  (ports) => {
    action(ports);
    if (ports.store.screen.vim && ports.boxes.at().editor.text === "")
      ports.store.update((s) => ({ ...s, vim: undefined }));
  };

const press =
  (name: VimKey): Action =>
  (ports) => {
    const { vim = NORMAL } = ports.store.screen;
    const { editor } = ports.boxes.at();
    const result = pressVimKey(name, vim, editor);
    apply(ports, result, recordStep(memoryOf(ports), { key: name }, { vim, editor }, result));
  };

/** Moves by rows on the screen; after an operator, by lines. */
const moveRows =
  (by: 1 | -1): Action =>
  (ports) => {
    const { vim = NORMAL } = ports.store.screen;
    if (vim.operator) return press(by < 0 ? "up" : "down")(ports);
    for (let n = Math.min(vim.count ?? 1, 1000); n > 0 && moveRow(ports, by); n--);
    apply(ports, { vim: clearPending(vim), editor: clampToCharacter(ports.boxes.at().editor) });
  };

const repeatWithCount =
  (change: (ports: Ports) => unknown): Action =>
  (ports) => {
    const { count = 1 } = ports.store.screen.vim ?? NORMAL;
    for (let n = Math.min(count, 500); n > 0; n--) change(ports);
    apply(ports, { vim: NORMAL, editor: clampToCharacter(ports.boxes.at().editor) });
  };

function repeatLast(ports: Ports): void {
  const { vim = NORMAL } = ports.store.screen;
  apply(ports, repeatChange(memoryOf(ports), vim, ports.boxes.at().editor));
}

type VimAction = `vim${Capitalize<VimKey>}`;

/** One action for each key of vim.ts: `wordEnd` becomes `vimWordEnd`. */
const presses = Object.fromEntries(
  vimKeys.map((name) => [`vim${name[0]!.toUpperCase()}${name.slice(1)}`, press(name)]),
) as Record<VimAction, Action>;

export const vimActions = {
  ...presses,
  vimUp: moveRows(-1),
  vimDown: moveRows(1),
  vimRepeat: repeatLast,
  vimUndo: repeatWithCount(undoOrRestore),
  vimRedo: repeatWithCount((ports) => ports.boxes.setEditor(edit(ports.boxes.at().editor, "redo"))),
} satisfies Record<string, Action>;
