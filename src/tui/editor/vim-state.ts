/** What Vim's normal mode remembers between keys, and the position of its cursor. */
import { lineEnd, lineStart, previousBoundary } from "./boundaries.ts";
import { moveTo, type EditorState } from "./state.ts";
import type { Find } from "./vim-motions.ts";

export type Operator = "delete" | "change" | "yank";

/** A selection: characters, or whole lines. */
export interface Visual {
  readonly kind: "chars" | "lines";
  /** Where it began. */
  readonly at: number;
}

/** What was begun and waits for more keys. */
export interface Vim {
  /** As they were pressed, for the eye. */
  readonly keys: string;
  readonly count?: number;
  readonly operator?: Operator;
  /** The count before the operator. */
  readonly times?: number;
  /** What the next character is for. */
  readonly awaits?: Find | "inner" | "around" | "replace";
  readonly found?: { how: Find; char: string };
  /** Text is selected, from there to the cursor. */
  readonly visual?: Visual;
}

/** Nothing is begun. */
export const NORMAL: Vim = { keys: "" };

/** After a key; without `vim` the text is written again. */
export interface Pressed {
  vim: Vim | undefined;
  editor: EditorState;
}

/** Nothing is begun any more; what is selected stays so. */
export const idle = ({ found, visual }: Vim): Vim => ({
  ...NORMAL,
  ...(found && { found }),
  ...(visual && { visual }),
});

/** Something was done: nothing is selected any more. */
export const ended = ({ found }: Vim): Vim => ({ ...NORMAL, ...(found && { found }) });

export const countOf = ({ count = 1, times = 1 }: Vim): number => Math.min(10_000, count * times);

/** The cursor stands on a character, not behind the last one of its line. */
export function settled(editor: EditorState): EditorState {
  const { text, cursor } = editor;
  const end = lineEnd(text, cursor);
  return cursor === end && cursor > lineStart(text, cursor)
    ? moveTo(editor, previousBoundary(text, end))
    : editor;
}

/** Back from writing: the cursor goes onto the character before it. */
export const leaveWriting = (editor: EditorState): EditorState =>
  moveTo(
    editor,
    Math.max(lineStart(editor.text, editor.cursor), previousBoundary(editor.text, editor.cursor)),
  );

export const writeAt = (editor: EditorState, to: number): Pressed => ({
  vim: undefined,
  editor: moveTo(editor, to),
});

export const waits = (
  vim: Vim,
  editor: EditorState,
  awaits: NonNullable<Vim["awaits"]>,
  key: string,
): Pressed => ({
  vim: { ...vim, keys: vim.keys + key, awaits },
  editor,
});
