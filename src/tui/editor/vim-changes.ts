/** Vim commands without a motion: put, join, change case, open lines. */
import { lineEnd, lineStart, nextBoundary, previousBoundary } from "./boundaries.ts";
import { moveTo, replaceRange, type EditorState } from "./state.ts";
import { VIM_MOTIONS } from "./vim-motions.ts";
import {
  countOf,
  clearPending,
  clampToCharacter,
  startInsertAt,
  type VimResult,
  type Vim,
} from "./vim-state.ts";

export function putKilled(vim: Vim, editor: EditorState, before: boolean): VimResult {
  const [top = ""] = editor.kills;
  const { text, cursor } = editor;
  const inserted = top.repeat(Math.min(countOf(vim), Math.max(1, Math.floor(100_000 / (top.length || 1)))));
  if (inserted === "") return { vim: clearPending(vim), editor };
  if (!top.endsWith("\n")) {
    const at = before || cursor === lineEnd(text, cursor) ? cursor : nextBoundary(text, cursor);
    const next = replaceRange(editor, at, at, inserted);
    return {
      vim: clearPending(vim),
      editor: clampToCharacter(moveTo(next, previousBoundary(next.text, next.cursor))),
    };
  }
  const at = before ? lineStart(text, cursor) : lineEnd(text, cursor);
  const next = replaceRange(editor, at, at, before ? inserted : `\n${inserted.slice(0, -1)}`);
  return { vim: clearPending(vim), editor: clampToCharacter(moveTo(next, before ? at : at + 1)) };
}

export function joinLines(vim: Vim, editor: EditorState): VimResult {
  let next = editor;
  for (let i = 0; i < Math.max(1, countOf(vim) - 1); i++) {
    const end = lineEnd(next.text, next.cursor);
    if (end === next.text.length) break;
    const blanks = /^\n[^\S\n]*/.exec(next.text.slice(end))![0].length;
    next = moveTo(replaceRange(next, end, end + blanks, " "), end);
  }
  return { vim: clearPending(vim), editor: clampToCharacter(next) };
}

/** Replaces `count` characters of the line from the cursor on. */
export function replaceChars(
  vim: Vim,
  editor: EditorState,
  replacement: (char: string) => string,
  movePast: boolean,
): VimResult {
  const { text, cursor } = editor;
  const { to } = VIM_MOTIONS.right(text, cursor, countOf(vim));
  if (to === cursor) return { vim: clearPending(vim), editor };
  const next = replaceRange(editor, cursor, to, replacement(text.slice(cursor, to)));
  return {
    vim: clearPending(vim),
    editor: clampToCharacter(movePast ? next : moveTo(next, previousBoundary(next.text, next.cursor))),
  };
}

export const otherCase = (text: string): string =>
  [...text].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join("");

export function openBlankLine(editor: EditorState, above: boolean): VimResult {
  const { text, cursor } = editor;
  const at = above ? lineStart(text, cursor) : lineEnd(text, cursor);
  return startInsertAt(replaceRange(editor, at, at, "\n"), above ? at : at + 1);
}
