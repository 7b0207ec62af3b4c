/** Vim's visual mode: motions extend a selection, and one key acts on all of it. */
import { lineStart, nextBoundary, previousBoundary } from "./boundaries.ts";
import { pushKill } from "./edits.ts";
import { moveTo, replaceRange, type EditorState } from "./state.ts";
import { joinLines, otherCase } from "./vim-changes.ts";
import type { TextRange } from "./vim-motions.ts";
import { withOperator, wholeLines, operate } from "./vim-operators.ts";
import {
  clearSelection,
  clearPending,
  clampToCharacter,
  awaitChar,
  startInsertAt,
  type Operator,
  type VimResult,
  type Vim,
  type Visual,
} from "./vim-state.ts";

/** The selection, including the character under the cursor; in line mode without the last line end. */
export function visualSpan({ visual }: Vim, { text, cursor }: EditorState): TextRange | undefined {
  if (!visual) return undefined;
  const start = Math.min(visual.start, cursor);
  const last = Math.max(visual.start, cursor);
  if (visual.kind === "lines") return wholeLines(text, { start, end: last });
  return { start, end: Math.min(text.length, nextBoundary(text, last)) };
}

/** `v` and `V` start a selection at the cursor; the same key ends it, the other one changes its kind. */
export function toggleVisual(vim: Vim, editor: EditorState, kind: Visual["kind"]): VimResult {
  if (vim.visual?.kind === kind) return { vim: clearSelection(vim), editor };
  return {
    vim: { ...clearPending(vim), visual: { kind, start: vim.visual?.start ?? editor.cursor } },
    editor,
  };
}

type Key = (vim: Vim, editor: EditorState) => VimResult;

/** Applies an operator to the selection; `lines`: to whole lines. */
const operatorOnSelection =
  (name: Operator, lines = false): Key =>
  (vim, editor) =>
    operate(withOperator(vim, name), editor, visualSpan(vim, editor)!, lines || vim.visual!.kind === "lines");

/** Replaces the selected text; the cursor moves to its start. */
function mapSelected(vim: Vim, editor: EditorState, change: (text: string) => string): VimResult {
  const { start, end } = visualSpan(vim, editor)!;
  const next = replaceRange(editor, start, end, change(editor.text.slice(start, end)));
  return { vim: clearSelection(vim), editor: clampToCharacter(moveTo(next, start)) };
}

/** Replaces every selected character, except line ends, by `char`. */
export const replaceSelected = (vim: Vim, editor: EditorState, char: string): VimResult =>
  mapSelected(vim, editor, (old) => {
    let replaced = "";
    for (let at = 0; at < old.length; at = nextBoundary(old, at)) replaced += old[at] === "\n" ? "\n" : char;
    return replaced;
  });

/** Replaces the selection by the last killed text; the replaced text becomes the next to put. */
function putOverSelection(vim: Vim, editor: EditorState): VimResult {
  const [top = ""] = editor.kills;
  const { start, end } = visualSpan(vim, editor)!;
  const lines = top.endsWith("\n");
  const inner = lines ? top.slice(0, -1) : top;
  const splits = lines && vim.visual!.kind === "chars";
  const put = splits ? `\n${inner}\n` : inner;
  const next = replaceRange(pushKill(editor, editor.text.slice(start, end)), start, end, put);
  const to = lines
    ? start + Number(splits)
    : Math.max(start, previousBoundary(next.text, start + put.length));
  return { vim: clearSelection(vim), editor: clampToCharacter(moveTo(next, to)) };
}

function joinSelected(vim: Vim, editor: EditorState): VimResult {
  const { start, end } = visualSpan(vim, editor)!;
  const count = editor.text.slice(start, end).split("\n").length;
  return joinLines({ ...clearSelection(vim), count }, moveTo(editor, start));
}

const swapEnds: Key = (vim, editor) => ({
  vim: { ...vim, visual: { ...vim.visual!, start: editor.cursor } },
  editor: moveTo(editor, vim.visual!.start),
});

/** Keys that mean something else while text is selected. */
export const VISUAL_KEYS = {
  delete: operatorOnSelection("delete"),
  erase: operatorOnSelection("delete"),
  eraseLeft: operatorOnSelection("delete", true),
  deleteToEnd: operatorOnSelection("delete", true),
  change: operatorOnSelection("change"),
  changeLetter: operatorOnSelection("change"),
  changeToEnd: operatorOnSelection("change", true),
  changeLine: operatorOnSelection("change", true),
  yank: operatorOnSelection("yank"),
  yankLine: operatorOnSelection("yank", true),
  put: putOverSelection,
  putBefore: putOverSelection,
  otherCase: (vim, editor) => mapSelected(vim, editor, otherCase),
  join: joinSelected,
  insert: (vim, editor) => awaitChar(vim, editor, "inner", "i"),
  append: (vim, editor) => awaitChar(vim, editor, "around", "a"),
  insertFirst: (vim, editor) => startInsertAt(editor, lineStart(editor.text, visualSpan(vim, editor)!.start)),
  appendLast: (vim, editor) => startInsertAt(editor, visualSpan(vim, editor)!.end),
  openBelow: swapEnds,
  openAbove: swapEnds,
} satisfies Record<string, Key>;
