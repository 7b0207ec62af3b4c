/** Vim's dot command: repeats the last change at the cursor. */
import { lineEnd, nextBoundary, previousBoundary } from "./boundaries.ts";
import { insert } from "./edits.ts";
import { moveTo, type EditorState } from "./state.ts";
import { pressVimKey, typeVimChar, type VimKey } from "./vim.ts";
import { VIM_MOTIONS } from "./vim-motions.ts";
import {
  clearSelection,
  leaveInsertMode,
  NORMAL,
  type VimResult,
  type Vim,
  type Visual,
} from "./vim-state.ts";
import { visualSpan } from "./vim-visual.ts";

type Step =
  | { key: VimKey }
  /** The character a key such as `f` waited for. */
  | { char: string }
  | { count: string }
  /** Selects as much as was selected originally, from the cursor on. */
  | { select: Visual["kind"]; size: number };

interface Change {
  readonly steps: readonly Step[];
  /** The text typed in insert mode after the steps. */
  readonly typed?: string;
}

export interface RepeatMemory {
  /** The keys of the command being typed. */
  readonly steps: readonly Step[];
  readonly change?: Change;
  /** The steps that started insert mode, which has not ended yet, with the text and cursor at its start. */
  readonly insertMode?: { steps: readonly Step[]; text: string; start: number };
}

export const NOTHING_TO_REPEAT: RepeatMemory = { steps: [] };

const graphemeCount = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at = nextBoundary(text, at)) count++;
  return count;
};

function selectionStep(vim: Vim, editor: EditorState): Step[] {
  const span = visualSpan(vim, editor);
  if (!span) return [];
  const text = editor.text.slice(span.start, span.end);
  const { kind } = vim.visual!;
  return [{ select: kind, size: kind === "lines" ? text.split("\n").length : graphemeCount(text) }];
}

/** The step for a typed character: the one that was awaited, or a digit of a count. */
export const stepOf = (vim: Vim, char: string): Step => (vim.awaits ? { char } : { count: char });

/** Records one step; a command becomes repeatable when it changed the text or started insert mode. */
export function recordStep(
  memory: RepeatMemory,
  step: Step,
  before: { vim: Vim; editor: EditorState },
  after: VimResult,
): RepeatMemory {
  const first = memory.steps.length === 0 ? selectionStep(before.vim, before.editor) : [];
  const steps = [...first, ...memory.steps, step];
  const { text, cursor } = after.editor;
  const { change } = memory;
  if (after.vim === undefined)
    return { steps: [], ...(change && { change }), insertMode: { steps, text, start: cursor } };
  if (text !== before.editor.text) return { steps: [], change: { steps } };
  return { ...memory, steps: after.vim.keys === "" ? [] : steps };
}

/** Called when insert mode ends: the inserted text becomes part of the change, unless other text changed meanwhile. */
export function recordInsertMode({ change, insertMode }: RepeatMemory, { text }: EditorState): RepeatMemory {
  const unchanged: RepeatMemory = { steps: [], ...(change && { change }) };
  if (!insertMode) return unchanged;
  const [head, tail] = [insertMode.text.slice(0, insertMode.start), insertMode.text.slice(insertMode.start)];
  const isAround = text.startsWith(head) && text.endsWith(tail) && text.length >= head.length + tail.length;
  if (!isAround) return unchanged;
  const typed = text.slice(head.length, text.length - tail.length);
  return { steps: [], change: { steps: insertMode.steps, typed } };
}

function reselect(vim: Vim, editor: EditorState, kind: Visual["kind"], size: number): VimResult {
  const { text, cursor } = editor;
  let to = cursor;
  if (kind === "lines") to = VIM_MOTIONS.down(text, cursor, size - 1).to;
  else for (let n = 1; n < size && to < text.length; n++) to = nextBoundary(text, to);
  const end = kind === "lines" ? to : Math.min(to, Math.max(cursor, previousBoundary(text, text.length)));
  return {
    vim: { ...clearSelection(vim), visual: { kind, start: cursor } },
    editor: moveTo(editor, Math.min(end, kind === "lines" ? lineEnd(text, to) : end)),
  };
}

function replayStep({ vim, editor }: VimResult, step: Step): VimResult {
  if (!vim) return { vim, editor };
  if ("key" in step) return pressVimKey(step.key, vim, editor);
  if ("select" in step) return reselect(vim, editor, step.select, step.size);
  const chars = "char" in step ? [step.char] : [...step.count];
  return chars.reduce<VimResult>(
    (state, char) => (state.vim && typeVimChar(state.vim, state.editor, char)) ?? state,
    {
      vim,
      editor,
    },
  );
}

/** Repeats the last change; a typed count replaces its original one. */
export function repeatChange({ change }: RepeatMemory, vim: Vim, editor: EditorState): VimResult {
  if (!change) return { vim: clearSelection(vim), editor };
  const { count } = vim;
  const steps =
    count === undefined
      ? change.steps
      : [{ count: String(count) }, ...change.steps.filter((step) => !("count" in step))];
  const after = steps.reduce(replayStep, { vim: clearSelection(vim), editor });
  if (after.vim) return { ...after, vim: clearSelection(after.vim) };
  return { vim: NORMAL, editor: leaveInsertMode(insert(after.editor, change.typed ?? "")) };
}
