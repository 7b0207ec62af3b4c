/** Vim's normal mode: what each key does, including counts and awaited characters. */
import { lineEnd, previousBoundary } from "./boundaries.ts";
import { moveTo, type EditorState } from "./state.ts";
import { joinLines, openBlankLine, otherCase, putKilled, replaceChars } from "./vim-changes.ts";
import { findTarget, objectSpan, VIM_MOTIONS, type VimMotion } from "./vim-motions.ts";
import { repeatFind, withOperator, motion, applyMotion, operate, operator } from "./vim-operators.ts";
import { countOf, clearPending, awaitChar, startInsertAt, type VimResult, type Vim } from "./vim-state.ts";
import { toggleVisual, replaceSelected, VISUAL_KEYS } from "./vim-visual.ts";

/** Each motion is a key of the same name. */
const MOTION_KEYS = Object.fromEntries(
  (Object.keys(VIM_MOTIONS) as VimMotion[]).map((name) => [
    name,
    (vim: Vim, editor: EditorState): VimResult => motion(vim, editor, name),
  ]),
) as Record<VimMotion, (vim: Vim, editor: EditorState) => VimResult>;

/** The effect of each key while nothing is selected. */
const VIM_KEYS = {
  ...MOTION_KEYS,
  find: (vim, editor) => awaitChar(vim, editor, "find", "f"),
  till: (vim, editor) => awaitChar(vim, editor, "till", "t"),
  findBack: (vim, editor) => awaitChar(vim, editor, "findBack", "F"),
  tillBack: (vim, editor) => awaitChar(vim, editor, "tillBack", "T"),
  again: (vim, editor) => repeatFind(vim, editor, false),
  againBack: (vim, editor) => repeatFind(vim, editor, true),
  delete: (vim, editor) => operator(vim, editor, "delete", "d"),
  change: (vim, editor) => operator(vim, editor, "change", "c"),
  yank: (vim, editor) => operator(vim, editor, "yank", "y"),
  erase: (vim, editor) => motion(withOperator(vim, "delete"), editor, "right"),
  eraseLeft: (vim, editor) => motion(withOperator(vim, "delete"), editor, "left"),
  deleteToEnd: (vim, editor) => motion(withOperator(vim, "delete"), editor, "lineEnd"),
  changeToEnd: (vim, editor) => motion(withOperator(vim, "change"), editor, "lineEnd"),
  changeLetter: (vim, editor) => motion(withOperator(vim, "change"), editor, "right"),
  changeLine: (vim, editor) => operator(withOperator(vim, "change"), editor, "change", ""),
  yankLine: (vim, editor) => operator(withOperator(vim, "yank"), editor, "yank", ""),
  put: (vim, editor) => putKilled(vim, editor, false),
  putBefore: (vim, editor) => putKilled(vim, editor, true),
  replace: (vim, editor) => awaitChar(vim, editor, "replace", "r"),
  otherCase: (vim, editor) => replaceChars(vim, editor, otherCase, true),
  join: joinLines,
  insert: (vim, editor) =>
    vim.operator ? awaitChar(vim, editor, "inner", "i") : startInsertAt(editor, editor.cursor),
  append: (vim, editor) =>
    vim.operator
      ? awaitChar(vim, editor, "around", "a")
      : startInsertAt(editor, VIM_MOTIONS.right(editor.text, editor.cursor, 1).to),
  insertFirst: (_, editor) => startInsertAt(editor, VIM_MOTIONS.firstLetter(editor.text, editor.cursor).to),
  appendLast: (_, editor) => startInsertAt(editor, lineEnd(editor.text, editor.cursor)),
  openBelow: (_, editor) => openBlankLine(editor, false),
  openAbove: (_, editor) => openBlankLine(editor, true),
  visual: (vim, editor) => toggleVisual(vim, editor, "chars"),
  visualLines: (vim, editor) => toggleVisual(vim, editor, "lines"),
} satisfies Record<string, (vim: Vim, editor: EditorState) => VimResult>;

export type VimKey = keyof typeof VIM_KEYS;
export const vimKeys = Object.keys(VIM_KEYS) as VimKey[];

const SELECTION_KEYS: Readonly<Partial<Record<VimKey, typeof joinLines>>> = VISUAL_KEYS;

export const pressVimKey = (name: VimKey, vim: Vim, editor: EditorState): VimResult =>
  ((vim.visual && SELECTION_KEYS[name]) ?? VIM_KEYS[name])(vim, editor);

/** Handles an awaited character or a digit of a count; undefined for any other character. */
export function typeVimChar(vim: Vim, editor: EditorState, char: string): VimResult | undefined {
  const { awaits, count, keys } = vim;
  if (awaits) return completeAwaited({ ...vim, keys: keys + char }, editor, awaits, char);
  if (!/^\d$/.test(char) || (char === "0" && count === undefined)) return undefined;
  return {
    vim: { ...vim, keys: keys + char, count: Math.min(10_000, (count ?? 0) * 10 + Number(char)) },
    editor,
  };
}

function completeAwaited(
  vim: Vim,
  editor: EditorState,
  awaits: NonNullable<Vim["awaits"]>,
  char: string,
): VimResult {
  const { text, cursor } = editor;
  if (awaits === "replace" && vim.visual) return replaceSelected(vim, editor, char);
  if (awaits === "replace") return replaceChars(vim, editor, (old) => char.repeat([...old].length), false);
  if (awaits === "inner" || awaits === "around") {
    const span = objectSpan(text, cursor, char, awaits === "around");
    if (span && vim.visual)
      return {
        vim: { ...clearPending(vim), visual: { kind: "chars", start: span.start } },
        editor: moveTo(editor, Math.max(span.start, previousBoundary(text, span.end))),
      };
    return span ? operate(vim, editor, span, false) : { vim: clearPending(vim), editor };
  }
  const target = findTarget(text, cursor, awaits, char, countOf(vim));
  return applyMotion({ ...vim, lastFind: { find: awaits, char } }, editor, target);
}
