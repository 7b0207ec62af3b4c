/** Vim's dot command: repeats the last change at the cursor. */
import { lineEnd, nextBoundary, previousBoundary } from "./boundaries.ts";
import { insert } from "./edits.ts";
import { moveTo, type EditorState } from "./state.ts";
import { pressed, typedTo, type VimKey } from "./vim.ts";
import { VIM_MOTIONS } from "./vim-motions.ts";
import { ended, leaveWriting, NORMAL, type Pressed, type Vim, type Visual } from "./vim-state.ts";
import { visualSpan } from "./vim-visual.ts";

type Step =
  | { key: VimKey }
  /** What a key waited for. */
  | { char: string }
  | { count: string }
  /** As much as was selected, from the cursor on. */
  | { select: Visual["kind"]; size: number };

interface Change {
  readonly steps: readonly Step[];
  /** What was written after it. */
  readonly written?: string;
}

export interface Memory {
  /** Pressed since nothing was begun. */
  readonly begun: readonly Step[];
  readonly change?: Change;
  /** Such keys led to writing, which is not over. */
  readonly writing?: { steps: readonly Step[]; text: string; at: number };
}

export const NO_MEMORY: Memory = { begun: [] };

const lengthOf = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at = nextBoundary(text, at)) count++;
  return count;
};

function selectOf(vim: Vim, editor: EditorState): Step[] {
  const span = visualSpan(vim, editor);
  if (!span) return [];
  const text = editor.text.slice(span.start, span.end);
  const { kind } = vim.visual!;
  return [{ select: kind, size: kind === "lines" ? text.split("\n").length : lengthOf(text) }];
}

/** A letter between keys: a digit of a count, or what was waited for. */
export const stepOf = (vim: Vim, char: string): Step => (vim.awaits ? { char } : { count: char });

/** After a step from `before`; only what changed the text, or led to writing, can be done again. */
export function recordStep(
  memory: Memory,
  step: Step,
  before: { vim: Vim; editor: EditorState },
  after: Pressed,
): Memory {
  const first = memory.begun.length === 0 ? selectOf(before.vim, before.editor) : [];
  const steps = [...first, ...memory.begun, step];
  const { text, cursor } = after.editor;
  const { change } = memory;
  if (after.vim === undefined)
    return { begun: [], ...(change && { change }), writing: { steps, text, at: cursor } };
  if (text !== before.editor.text) return { begun: [], change: { steps } };
  return { ...memory, begun: after.vim.keys === "" ? [] : steps };
}

/** Esc ends the writing: what was written is done again with its key, unless something else was changed meanwhile. */
export function wrote({ change, writing }: Memory, { text }: EditorState): Memory {
  const kept: Memory = { begun: [], ...(change && { change }) };
  if (!writing) return kept;
  const [head, tail] = [writing.text.slice(0, writing.at), writing.text.slice(writing.at)];
  const fits = text.startsWith(head) && text.endsWith(tail) && text.length >= head.length + tail.length;
  if (!fits) return kept;
  const written = text.slice(head.length, text.length - tail.length);
  return { begun: [], change: { steps: writing.steps, written } };
}

function selected(vim: Vim, editor: EditorState, kind: Visual["kind"], size: number): Pressed {
  const { text, cursor } = editor;
  let to = cursor;
  if (kind === "lines") to = VIM_MOTIONS.down(text, cursor, size - 1).to;
  else for (let n = 1; n < size && to < text.length; n++) to = nextBoundary(text, to);
  const end = kind === "lines" ? to : Math.min(to, Math.max(cursor, previousBoundary(text, text.length)));
  return {
    vim: { ...ended(vim), visual: { kind, at: cursor } },
    editor: moveTo(editor, Math.min(end, kind === "lines" ? lineEnd(text, to) : end)),
  };
}

function done({ vim, editor }: Pressed, step: Step): Pressed {
  if (!vim) return { vim, editor };
  if ("key" in step) return pressed(step.key, vim, editor);
  if ("select" in step) return selected(vim, editor, step.select, step.size);
  const chars = "char" in step ? [step.char] : [...step.count];
  return chars.reduce<Pressed>((at, char) => (at.vim && typedTo(at.vim, at.editor, char)) ?? at, {
    vim,
    editor,
  });
}

/** The last change once more; a count takes the place of its own. */
export function repeated({ change }: Memory, vim: Vim, editor: EditorState): Pressed {
  if (!change) return { vim: ended(vim), editor };
  const { count } = vim;
  const steps =
    count === undefined
      ? change.steps
      : [{ count: String(count) }, ...change.steps.filter((step) => !("count" in step))];
  const after = steps.reduce(done, { vim: ended(vim), editor });
  if (after.vim) return { ...after, vim: ended(after.vim) };
  return { vim: NORMAL, editor: leaveWriting(insert(after.editor, change.written ?? "")) };
}
