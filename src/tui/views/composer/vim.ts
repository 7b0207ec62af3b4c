/** Vim's normal mode in the composer: entered by Esc, left by i and similar keys. */
import { edit } from "../../editor/edits.ts";
import { pressVimKey, typeVimChar, vimKeys, type VimKey } from "../../editor/vim.ts";
import {
  NOTHING_TO_REPEAT,
  recordStep,
  repeatChange,
  stepOf,
  recordWriting,
  type RepeatMemory,
} from "../../editor/vim-repeat.ts";
import { clearPending, leaveWriting, NORMAL, ontoCharacter, type VimResult } from "../../editor/vim-state.ts";
import { withCompletion } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { undoOrPutBack } from "./clearing.ts";
import { vertically } from "./writing.ts";

const memoryOf = ({ store }: Ports): RepeatMemory => store.screen.vimMemory ?? NOTHING_TO_REPEAT;

function apply(ports: Ports, { vim, editor }: VimResult, vimMemory = memoryOf(ports)): void {
  ports.boxes.put(editor);
  ports.store.update((s) => withCompletion({ ...s, vim, vimMemory }, undefined));
}

/** Where the table has such keys: Esc from writing. False where Esc means something else. */
export function beginNormal(ports: Ports): boolean {
  const { screen } = ports.store;
  const { editor } = ports.boxes.at();
  const over = screen.completion !== undefined || screen.popups.length > 0 || screen.pendingKey !== undefined;
  if (over || screen.focus !== "composer" || editor.text === "") return false;
  if (Object.keys(ports.keys.normal).length === 0) return false;
  if (!screen.vim)
    apply(ports, { vim: NORMAL, editor: leaveWriting(editor) }, recordWriting(memoryOf(ports), editor));
  else if (screen.vim.keys !== "") apply(ports, { vim: clearPending(screen.vim), editor });
  else if (screen.vim.visual) apply(ports, { vim: NORMAL, editor });
  else return false;
  return true;
}

/** A digit of a count, or the character that was waited for; false for what is a key of the table. */
export function typedInNormal(ports: Ports, text: string | undefined): boolean {
  const { vim } = ports.store.screen;
  const { editor } = ports.boxes.at();
  const after = vim && text !== undefined ? typeVimChar(vim, editor, text) : undefined;
  if (!vim || text === undefined || !after) return false;
  apply(ports, after, recordStep(memoryOf(ports), stepOf(vim, text), { vim, editor }, after));
  return true;
}

/** After a send or a clear there is nothing left to act on. */
export const writeAgain =
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
    const after = pressVimKey(name, vim, editor);
    apply(ports, after, recordStep(memoryOf(ports), { key: name }, { vim, editor }, after));
  };

/** By rows as they are seen; an operator takes lines. */
const row =
  (by: 1 | -1): Action =>
  (ports) => {
    const { vim = NORMAL } = ports.store.screen;
    if (vim.operator) return press(by < 0 ? "up" : "down")(ports);
    for (let n = Math.min(vim.count ?? 1, 1000); n > 0 && vertically(ports, by); n--);
    apply(ports, { vim: clearPending(vim), editor: ontoCharacter(ports.boxes.at().editor) });
  };

const back =
  (change: (ports: Ports) => unknown): Action =>
  (ports) => {
    const { count = 1 } = ports.store.screen.vim ?? NORMAL;
    for (let n = Math.min(count, 500); n > 0; n--) change(ports);
    apply(ports, { vim: NORMAL, editor: ontoCharacter(ports.boxes.at().editor) });
  };

function again(ports: Ports): void {
  const { vim = NORMAL } = ports.store.screen;
  apply(ports, repeatChange(memoryOf(ports), vim, ports.boxes.at().editor));
}

type VimAction = `vim${Capitalize<VimKey>}`;

/** The action of a key of vim.ts has its name: `wordEnd` is `vimWordEnd`. */
const presses = Object.fromEntries(
  vimKeys.map((name) => [`vim${name[0]!.toUpperCase()}${name.slice(1)}`, press(name)]),
) as Record<VimAction, Action>;

export const vimActions = {
  ...presses,
  vimUp: row(-1),
  vimDown: row(1),
  vimRepeat: again,
  vimUndo: back(undoOrPutBack),
  vimRedo: back((ports) => ports.boxes.put(edit(ports.boxes.at().editor, "redo"))),
} satisfies Record<string, Action>;
