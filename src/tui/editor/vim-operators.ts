/** Vim's operators: the text they act on, and the result. */
import { lineEnd, lineStart, nextBoundary } from "./boundaries.ts";
import { cut } from "./edits.ts";
import { moveTo, replaceRange, type EditorState } from "./state.ts";
import { findReach, VIM_MOTIONS, type Reach, type TextRange, type VimMotion } from "./vim-motions.ts";
import { countOf, ended, idle, settled, type Operator, type Pressed, type Vim } from "./vim-state.ts";

/** Whole lines, without the line end behind them. */
export const wholeLines = (text: string, { start, end }: TextRange): TextRange => ({
  start: lineStart(text, start),
  end: lineEnd(text, end),
});

/** Deletes, changes or copies; what went can be put back. */
export function operate(vim: Vim, editor: EditorState, span: TextRange, lines: boolean): Pressed {
  const { text } = editor;
  const { start, end } = lines ? wholeLines(text, span) : span;
  if (start === end && !lines && vim.operator !== "change") return { vim: ended(vim), editor };
  const taken = text.slice(start, end) + (lines ? "\n" : "");
  const kept = taken === "" ? editor : cut(editor, taken);
  if (vim.operator === "yank")
    return { vim: ended(vim), editor: lines ? kept : moveTo(kept, Math.min(start, editor.cursor)) };
  if (vim.operator === "change")
    return { vim: undefined, editor: moveTo(replaceRange(kept, start, end, ""), start) };
  if (!lines) return { vim: ended(vim), editor: settled(moveTo(replaceRange(kept, start, end, ""), start)) };
  const last = end === text.length;
  const gone = replaceRange(kept, last ? Math.max(0, start - 1) : start, last ? end : end + 1, "");
  const at = VIM_MOTIONS.firstLetter(gone.text, Math.min(start, gone.text.length)).to;
  return { vim: ended(vim), editor: settled(moveTo(gone, at)) };
}

/** What an operator takes on the way to `to`. */
function spanTo(text: string, from: number, { to, kind }: Reach): TextRange {
  const [start, end] = [Math.min(from, to), Math.max(from, to)];
  return { start, end: kind === "through" ? nextBoundary(text, end) : end };
}

export function moved(vim: Vim, editor: EditorState, reach: Reach | undefined): Pressed {
  if (!reach) return { vim: idle(vim), editor };
  if (vim.operator)
    return operate(vim, editor, spanTo(editor.text, editor.cursor, reach), reach.kind === "lines");
  return { vim: idle(vim), editor: settled(moveTo(editor, reach.to)) };
}

/** `cw` stops where the word does, and `dw` with the line. */
function wordReach(vim: Vim, { text, cursor }: EditorState): Reach {
  const n = countOf(vim);
  const onWord = /\S/.test(text[cursor] ?? " ");
  if (vim.operator === "change" && onWord) {
    const last = VIM_MOTIONS.wordEnd(text, Math.max(0, cursor - 1), 1).to;
    return n === 1 && last >= cursor ? { to: last, kind: "through" } : VIM_MOTIONS.wordEnd(text, cursor, n);
  }
  const reach = VIM_MOTIONS.word(text, cursor, n);
  const end = lineEnd(text, cursor);
  return vim.operator && n === 1 && reach.to > end && end > cursor ? { ...reach, to: end } : reach;
}

export function motion(vim: Vim, editor: EditorState, name: VimMotion): Pressed {
  const counted = vim.count !== undefined || vim.times !== undefined;
  const reach =
    name === "word"
      ? wordReach(vim, editor)
      : VIM_MOTIONS[name](editor.text, editor.cursor, countOf(vim), counted);
  return moved(vim, editor, reach);
}

/** `d` waits for what it is to delete; `dd` takes lines. */
export function operator(vim: Vim, editor: EditorState, name: Operator, key: string): Pressed {
  if (vim.operator === name) {
    const { to } = VIM_MOTIONS.down(editor.text, editor.cursor, countOf(vim) - 1);
    return operate(vim, editor, { start: editor.cursor, end: to }, true);
  }
  if (vim.operator) return { vim: idle(vim), editor };
  const { count, found } = vim;
  return {
    vim: {
      keys: vim.keys + key,
      operator: name,
      ...(count !== undefined && { times: count }),
      ...(found && { found }),
    },
    editor,
  };
}

export const asOperator = (vim: Vim, name: Operator): Vim => ({ ...vim, operator: name });

export function again(vim: Vim, editor: EditorState, turned: boolean): Pressed {
  if (!vim.found) return { vim: idle(vim), editor };
  const { how, char } = vim.found;
  const other = { find: "findBack", findBack: "find", till: "tillBack", tillBack: "till" } as const;
  const way = turned ? other[how] : how;
  return moved(vim, editor, findReach(editor.text, editor.cursor, way, char, countOf(vim), true));
}
