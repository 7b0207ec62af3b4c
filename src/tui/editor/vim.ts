/** Vim's normal mode on a text: what each key of the table does, and the letters between them. Plain immutable data. */
import { lineEnd, previousBoundary } from "./boundaries.ts";
import { moveTo, type EditorState } from "./state.ts";
import { joinLines, openBlankLine, otherCase, putKilled, remade } from "./vim-changes.ts";
import { findReach, objectSpan, VIM_MOTIONS, type VimMotion } from "./vim-motions.ts";
import { again, asOperator, motion, moved, operate, operator } from "./vim-operators.ts";
import { countOf, idle, waits, writeAt, type Pressed, type Vim } from "./vim-state.ts";
import { begun, replaced, VISUAL_KEYS } from "./vim-visual.ts";

/** Each motion has a key of its name. */
const MOTION_KEYS = Object.fromEntries(
  (Object.keys(VIM_MOTIONS) as VimMotion[]).map((name) => [
    name,
    (vim: Vim, editor: EditorState): Pressed => motion(vim, editor, name),
  ]),
) as Record<VimMotion, (vim: Vim, editor: EditorState) => Pressed>;

/** What a key of the table does where nothing is selected. */
const VIM_KEYS = {
  ...MOTION_KEYS,
  find: (vim, editor) => waits(vim, editor, "find", "f"),
  till: (vim, editor) => waits(vim, editor, "till", "t"),
  findBack: (vim, editor) => waits(vim, editor, "findBack", "F"),
  tillBack: (vim, editor) => waits(vim, editor, "tillBack", "T"),
  again: (vim, editor) => again(vim, editor, false),
  againBack: (vim, editor) => again(vim, editor, true),
  delete: (vim, editor) => operator(vim, editor, "delete", "d"),
  change: (vim, editor) => operator(vim, editor, "change", "c"),
  yank: (vim, editor) => operator(vim, editor, "yank", "y"),
  erase: (vim, editor) => motion(asOperator(vim, "delete"), editor, "right"),
  eraseLeft: (vim, editor) => motion(asOperator(vim, "delete"), editor, "left"),
  deleteToEnd: (vim, editor) => motion(asOperator(vim, "delete"), editor, "lineEnd"),
  changeToEnd: (vim, editor) => motion(asOperator(vim, "change"), editor, "lineEnd"),
  changeLetter: (vim, editor) => motion(asOperator(vim, "change"), editor, "right"),
  changeLine: (vim, editor) => operator(asOperator(vim, "change"), editor, "change", ""),
  yankLine: (vim, editor) => operator(asOperator(vim, "yank"), editor, "yank", ""),
  put: (vim, editor) => putKilled(vim, editor, false),
  putBefore: (vim, editor) => putKilled(vim, editor, true),
  replace: (vim, editor) => waits(vim, editor, "replace", "r"),
  otherCase: (vim, editor) => remade(vim, editor, otherCase, true),
  join: joinLines,
  insert: (vim, editor) => (vim.operator ? waits(vim, editor, "inner", "i") : writeAt(editor, editor.cursor)),
  append: (vim, editor) =>
    vim.operator
      ? waits(vim, editor, "around", "a")
      : writeAt(editor, VIM_MOTIONS.right(editor.text, editor.cursor, 1).to),
  insertFirst: (_, editor) => writeAt(editor, VIM_MOTIONS.firstLetter(editor.text, editor.cursor).to),
  appendLast: (_, editor) => writeAt(editor, lineEnd(editor.text, editor.cursor)),
  openBelow: (_, editor) => openBlankLine(editor, false),
  openAbove: (_, editor) => openBlankLine(editor, true),
  visual: (vim, editor) => begun(vim, editor, "chars"),
  visualLines: (vim, editor) => begun(vim, editor, "lines"),
} satisfies Record<string, (vim: Vim, editor: EditorState) => Pressed>;

export type VimKey = keyof typeof VIM_KEYS;
export const vimKeys = Object.keys(VIM_KEYS) as VimKey[];

const ON_SELECTED: Readonly<Partial<Record<VimKey, typeof joinLines>>> = VISUAL_KEYS;

export const pressed = (name: VimKey, vim: Vim, editor: EditorState): Pressed =>
  ((vim.visual && ON_SELECTED[name]) ?? VIM_KEYS[name])(vim, editor);

/** A character that is no key of the table now: a digit of a count, or what was waited for; undefined for all others. */
export function typedTo(vim: Vim, editor: EditorState, char: string): Pressed | undefined {
  const { awaits, count, keys } = vim;
  if (awaits) return answered({ ...vim, keys: keys + char }, editor, awaits, char);
  if (!/^\d$/.test(char) || (char === "0" && count === undefined)) return undefined;
  return {
    vim: { ...vim, keys: keys + char, count: Math.min(10_000, (count ?? 0) * 10 + Number(char)) },
    editor,
  };
}

function answered(vim: Vim, editor: EditorState, awaits: NonNullable<Vim["awaits"]>, char: string): Pressed {
  const { text, cursor } = editor;
  if (awaits === "replace" && vim.visual) return replaced(vim, editor, char);
  if (awaits === "replace") return remade(vim, editor, (old) => char.repeat([...old].length), false);
  if (awaits === "inner" || awaits === "around") {
    const span = objectSpan(text, cursor, char, awaits === "around");
    if (span && vim.visual)
      return {
        vim: { ...idle(vim), visual: { kind: "chars", at: span.start } },
        editor: moveTo(editor, Math.max(span.start, previousBoundary(text, span.end))),
      };
    return span ? operate(vim, editor, span, false) : { vim: idle(vim), editor };
  }
  const reach = findReach(text, cursor, awaits, char, countOf(vim));
  return moved({ ...vim, found: { how: awaits, char } }, editor, reach);
}
