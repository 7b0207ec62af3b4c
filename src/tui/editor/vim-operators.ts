/** Vim's operators: delete, change and yank. */
import { lineEnd, lineStart, nextBoundary } from "./boundaries.ts";
import { pushKill } from "./edits.ts";
import { moveTo, replaceRange, type EditorState } from "./state.ts";
import { findTarget, VIM_MOTIONS, type MotionTarget, type TextRange, type VimMotion } from "./vim-motions.ts";
import {
  countOf,
  clearSelection,
  clearPending,
  clampToCharacter,
  type Operator,
  type VimResult,
  type Vim,
} from "./vim-state.ts";

/** Extends a range to whole lines, without the last line end. */
export const wholeLines = (text: string, { start, end }: TextRange): TextRange => ({
  start: lineStart(text, start),
  end: lineEnd(text, end),
});

/** Applies the pending operator to a range; the text can be put back with `p`. */
export function operate(vim: Vim, editor: EditorState, span: TextRange, lines: boolean): VimResult {
  const { text } = editor;
  const { start, end } = lines ? wholeLines(text, span) : span;
  if (start === end && !lines && vim.operator !== "change") return { vim: clearSelection(vim), editor };
  const removed = text.slice(start, end) + (lines ? "\n" : "");
  const copied = removed === "" ? editor : pushKill(editor, removed);
  if (vim.operator === "yank")
    return {
      vim: clearSelection(vim),
      editor: lines ? copied : moveTo(copied, Math.min(start, editor.cursor)),
    };
  if (vim.operator === "change")
    return { vim: undefined, editor: moveTo(replaceRange(copied, start, end, ""), start) };
  if (!lines)
    return {
      vim: clearSelection(vim),
      editor: clampToCharacter(moveTo(replaceRange(copied, start, end, ""), start)),
    };
  const last = end === text.length;
  const remaining = replaceRange(copied, last ? Math.max(0, start - 1) : start, last ? end : end + 1, "");
  const at = VIM_MOTIONS.firstLetter(remaining.text, Math.min(start, remaining.text.length)).to;
  return { vim: clearSelection(vim), editor: clampToCharacter(moveTo(remaining, at)) };
}

/** The range an operator acts on between the cursor and a motion's target. */
function rangeTo(text: string, from: number, { to, kind }: MotionTarget): TextRange {
  const [start, end] = [Math.min(from, to), Math.max(from, to)];
  return { start, end: kind === "inclusive" ? nextBoundary(text, end) : end };
}

export function applyMotion(vim: Vim, editor: EditorState, target: MotionTarget | undefined): VimResult {
  if (!target) return { vim: clearPending(vim), editor };
  if (vim.operator)
    return operate(vim, editor, rangeTo(editor.text, editor.cursor, target), target.kind === "lines");
  return { vim: clearPending(vim), editor: clampToCharacter(moveTo(editor, target.to)) };
}

/** `cw` stops at the end of the word, `dw` at the end of the line. */
function wordTarget(vim: Vim, { text, cursor }: EditorState): MotionTarget {
  const n = countOf(vim);
  const onWord = /\S/.test(text[cursor] ?? " ");
  if (vim.operator === "change" && onWord) {
    const last = VIM_MOTIONS.wordEnd(text, Math.max(0, cursor - 1), 1).to;
    return n === 1 && last >= cursor ? { to: last, kind: "inclusive" } : VIM_MOTIONS.wordEnd(text, cursor, n);
  }
  const target = VIM_MOTIONS.word(text, cursor, n);
  const end = lineEnd(text, cursor);
  return vim.operator && n === 1 && target.to > end && end > cursor ? { ...target, to: end } : target;
}

export function motion(vim: Vim, editor: EditorState, name: VimMotion): VimResult {
  const hasCount = vim.count !== undefined || vim.operatorCount !== undefined;
  const target =
    name === "word"
      ? wordTarget(vim, editor)
      : VIM_MOTIONS[name](editor.text, editor.cursor, countOf(vim), hasCount);
  return applyMotion(vim, editor, target);
}

/** `d` waits for a motion; `dd` deletes whole lines. */
export function operator(vim: Vim, editor: EditorState, name: Operator, key: string): VimResult {
  if (vim.operator === name) {
    const { to } = VIM_MOTIONS.down(editor.text, editor.cursor, countOf(vim) - 1);
    return operate(vim, editor, { start: editor.cursor, end: to }, true);
  }
  if (vim.operator) return { vim: clearPending(vim), editor };
  const { count, lastFind } = vim;
  return {
    vim: {
      keys: vim.keys + key,
      operator: name,
      ...(count !== undefined && { operatorCount: count }),
      ...(lastFind && { lastFind }),
    },
    editor,
  };
}

export const withOperator = (vim: Vim, name: Operator): Vim => ({ ...vim, operator: name });

export function repeatFind(vim: Vim, editor: EditorState, reverse: boolean): VimResult {
  if (!vim.lastFind) return { vim: clearPending(vim), editor };
  const { find, char } = vim.lastFind;
  const opposite = { find: "findBack", findBack: "find", till: "tillBack", tillBack: "till" } as const;
  const direction = reverse ? opposite[find] : find;
  return applyMotion(
    vim,
    editor,
    findTarget(editor.text, editor.cursor, direction, char, countOf(vim), true),
  );
}
