/** The edits and motions of the editor, by name. */
import {
  firstNonBlank,
  blankLeft,
  lineEnd,
  lineStart,
  nextBoundary,
  nextWordStart,
  previousBoundary,
  wordLeft,
  wordRight,
} from "./boundaries.ts";
import type { TextLayout, Layouter } from "./layout.ts";
import { moveTo, redo, replaceRange, selectionOf, undo, type EditorState } from "./state.ts";

/** Inserts typed text, each word as a step that can be undone, however fast it was typed; replaces the selection. */
export function insert(state: EditorState, text: string): EditorState {
  let at = state;
  for (const word of text.split(/(?<=\s)(?=\S)/)) {
    const { start, end } = selectionOf(at) ?? { start: at.cursor, end: at.cursor };
    at = replaceRange(at, start, end, word, start === end ? "typing" : "other");
  }
  return at;
}

/** Inserts pasted text as one undo step. */
export function paste(state: EditorState, text: string): EditorState {
  const { start, end } = selectionOf(state) ?? { start: state.cursor, end: state.cursor };
  return replaceRange(state, start, end, text);
}

/** Replaces the whole text as one undo step; the cursor moves to its end. */
export const setText = (state: EditorState, text: string): EditorState =>
  replaceRange(state, 0, state.text.length, text);

/** Empties the editor after sending: the undo history is dropped, the killed texts stay. */
export const clear = (state: EditorState): EditorState => ({
  ...state,
  text: "",
  cursor: 0,
  anchor: undefined,
  goalColumn: undefined,
  undo: [],
  redo: [],
  yanked: undefined,
  lastEdit: "other",
});

const MAX_KILLS = 30;

/** Adds a text to the killed ones, so that Ctrl-Y inserts it. */
export const pushKill = (state: EditorState, text: string): EditorState => ({
  ...state,
  kills: [text, ...state.kills].slice(0, MAX_KILLS),
});

function kill(state: EditorState, start: number, end: number): EditorState {
  if (start === end) return state;
  const killed = state.text.slice(start, end);
  const next = replaceRange(state, start, end, "", "kill");
  // Consecutive kills make one text, in the order of the original.
  const [top, ...rest] = state.kills;
  const kills =
    state.lastEdit === "kill" && top !== undefined
      ? [start < state.cursor ? killed + top : top + killed, ...rest]
      : [killed, ...state.kills];
  return { ...next, kills: kills.slice(0, MAX_KILLS) };
}

function remove(state: EditorState, start: number, end: number): EditorState {
  const selected = selectionOf(state);
  if (selected) return replaceRange(state, selected.start, selected.end, "");
  return start === end ? state : replaceRange(state, start, end, "", "deleting");
}

function yank(state: EditorState, index: number, start: number, end: number): EditorState {
  const text = state.kills[index];
  if (text === undefined) return state;
  const next = replaceRange(state, start, end, text, "yank");
  return { ...next, yanked: { start, end: start + text.length, index } };
}

function transpose(state: EditorState): EditorState {
  const { text } = state;
  const from = lineStart(text, state.cursor);
  const to = lineEnd(text, state.cursor);
  const middle = state.cursor === to ? previousBoundary(text, to) : state.cursor;
  if (middle <= from) return state;
  const first = previousBoundary(text, middle);
  const last = nextBoundary(text, middle);
  return replaceRange(state, first, last, text.slice(middle, last) + text.slice(first, middle));
}

/** Ctrl-U: kills to the start of the line; at the start it kills the line end before it, so it can be repeated. */
function killToStart(state: EditorState): EditorState {
  const start = lineStart(state.text, state.cursor);
  return kill(state, start === state.cursor ? previousBoundary(state.text, start) : start, state.cursor);
}

function killToEnd(state: EditorState): EditorState {
  const end = lineEnd(state.text, state.cursor);
  return kill(state, state.cursor, end === state.cursor ? nextBoundary(state.text, end) : end);
}

/** Motions return the new cursor; a selection can be extended by each of them. */
export const MOTIONS = {
  left: (s) => previousBoundary(s.text, s.cursor),
  right: (s) => nextBoundary(s.text, s.cursor),
  wordLeft: (s) => wordLeft(s.text, s.cursor),
  wordRight: (s) => wordRight(s.text, s.cursor),
  nextWord: (s) => nextWordStart(s.text, s.cursor),
  home: (s) => lineStart(s.text, s.cursor),
  end: (s) => lineEnd(s.text, s.cursor),
  firstNonBlank: (s) => firstNonBlank(s.text, s.cursor),
  start: () => 0,
  finish: (s) => s.text.length,
} satisfies Record<string, (state: EditorState) => number>;

export type Motion = keyof typeof MOTIONS;

/** Moves the cursor; with a selection, left and right move to its start and end. */
export function move(state: EditorState, motion: Motion): EditorState {
  const selected = selectionOf(state);
  if (selected && (motion === "left" || motion === "right"))
    return moveTo(state, motion === "left" ? selected.start : selected.end);
  return moveTo(state, MOTIONS[motion](state));
}

/** Moves the cursor and keeps the other end of the selection, which begins here if there is none. */
export const extend = (state: EditorState, motion: Motion): EditorState => ({
  ...moveTo(state, MOTIONS[motion](state)),
  anchor: state.anchor ?? state.cursor,
});

/** Edits that need no layout. */
export const EDITS = {
  newline: (s) => insert(s, "\n"),
  backspace: (s) => remove(s, previousBoundary(s.text, s.cursor), s.cursor),
  delete: (s) => remove(s, s.cursor, nextBoundary(s.text, s.cursor)),
  killWordLeft: (s) => kill(s, wordLeft(s.text, s.cursor), s.cursor),
  killWordRight: (s) => kill(s, s.cursor, wordRight(s.text, s.cursor)),
  killBlankLeft: (s) => kill(s, blankLeft(s.text, s.cursor), s.cursor),
  killToStart,
  killToEnd,
  killAll: (s) => kill(moveTo(s, s.text.length), 0, s.text.length),
  killSelection: (s) => {
    const selected = selectionOf(s);
    return selected ? kill(s, selected.start, selected.end) : s;
  },
  yank: (s) => {
    const { start, end } = selectionOf(s) ?? { start: s.cursor, end: s.cursor };
    return yank(s, 0, start, end);
  },
  /** Replaces the text just yanked by the kill before it. */
  yankPop: (s) =>
    s.yanked ? yank(s, (s.yanked.index + 1) % s.kills.length, s.yanked.start, s.yanked.end) : s,
  transpose,
  undo,
  redo,
  selectAll: (s) => ({ ...moveTo(s, s.text.length), anchor: 0 }),
  unselect: (s) => ({ ...s, anchor: undefined }),
} satisfies Record<string, (state: EditorState) => EditorState>;

export type Edit = keyof typeof EDITS;

export const edit = (state: EditorState, name: Edit): EditorState => EDITS[name](state);

/**
 * Moves up (−1) or down (1) by visual rows, keeping the column. Undefined beyond the first and last row, where the
 * caller may browse the message history.
 */
export function moveVertically(
  state: EditorState,
  by: number,
  layout: TextLayout,
  layouter: Layouter,
): EditorState | undefined {
  const row = layout.cursorRow + by;
  if (row < 0 || row >= layout.rows.length) return undefined;
  const goal = state.goalColumn ?? layout.cursorCol;
  return moveTo(state, layouter.offsetAt(state.text, layout, row, goal), goal);
}
