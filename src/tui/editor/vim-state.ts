/** The state of Vim's normal mode between keys, and its cursor position. */
import { lineEnd, lineStart, previousBoundary } from "./boundaries.ts";
import { moveTo, type EditorState } from "./state.ts";
import type { Find } from "./vim-motions.ts";

export type Operator = "delete" | "change" | "yank";

/** A selection: characters, or whole lines. */
export interface Visual {
  readonly kind: "chars" | "lines";
  /** The offset at which the selection began. */
  readonly start: number;
}

/** A command that is being typed. */
export interface Vim {
  /** The keys pressed so far, for display. */
  readonly keys: string;
  readonly count?: number;
  readonly operator?: Operator;
  /** The count typed before the operator. */
  readonly operatorCount?: number;
  /** The command that takes the next character. */
  readonly awaits?: Find | "inner" | "around" | "replace";
  readonly lastFind?: { find: Find; char: string };
  /** The selection extends from its start to the cursor. */
  readonly visual?: Visual;
}

export const NORMAL: Vim = { keys: "" };

/** The state after a key; `vim` is undefined when insert mode begins. */
export interface VimResult {
  vim: Vim | undefined;
  editor: EditorState;
}

/** Drops the command being typed and keeps the selection. */
export const clearPending = ({ lastFind, visual }: Vim): Vim => ({
  ...NORMAL,
  ...(lastFind && { lastFind }),
  ...(visual && { visual }),
});

/** After a completed command: also drops the selection. */
export const clearSelection = ({ lastFind }: Vim): Vim => ({
  ...NORMAL,
  ...(lastFind && { lastFind }),
});

export const countOf = ({ count = 1, operatorCount = 1 }: Vim): number =>
  Math.min(10_000, count * operatorCount);

/** Moves the cursor from the end of a line onto its last character, as normal mode requires. */
export function clampToCharacter(editor: EditorState): EditorState {
  const { text, cursor } = editor;
  const end = lineEnd(text, cursor);
  return cursor === end && cursor > lineStart(text, cursor)
    ? moveTo(editor, previousBoundary(text, end))
    : editor;
}

/** Back from insert mode: the cursor moves onto the character before it. */
export const leaveInsertMode = (editor: EditorState): EditorState =>
  moveTo(
    editor,
    Math.max(lineStart(editor.text, editor.cursor), previousBoundary(editor.text, editor.cursor)),
  );

export const startInsertAt = (editor: EditorState, to: number): VimResult => ({
  vim: undefined,
  editor: moveTo(editor, to),
});

export const awaitChar = (
  vim: Vim,
  editor: EditorState,
  awaits: NonNullable<Vim["awaits"]>,
  key: string,
): VimResult => ({
  vim: { ...vim, keys: vim.keys + key, awaits },
  editor,
});
