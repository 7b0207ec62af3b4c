/** The state of a text editor as immutable data: text, cursor, selection, undo and killed texts. */
import { toBoundary } from "./boundaries.ts";

/** One replacement: at offset `at`, `removed` became `inserted`. */
interface Change {
  at: number;
  removed: string;
  inserted: string;
  cursorBefore: number;
}

/** The kind of the last edit; the next one of the same kind may join its undo step. */
type LastEdit = "typing" | "deleting" | "kill" | "yank" | "other";

export interface EditorState {
  readonly text: string;
  /** UTF-16 offset, always between graphemes. */
  readonly cursor: number;
  /** The other end of the selection, if any. */
  readonly anchor: number | undefined;
  /** The column (in cells) that moving up and down tries to keep. */
  readonly goalColumn: number | undefined;
  readonly undo: readonly Change[];
  readonly redo: readonly Change[];
  /** Killed texts, newest first. */
  readonly kills: readonly string[];
  /** The range of the last yank and the index of its kill. */
  readonly yanked: { start: number; end: number; index: number } | undefined;
  readonly lastEdit: LastEdit;
}

/** The number of steps that can be undone. */
const MAX_UNDO = 500;

const EMPTY: EditorState = {
  text: "",
  cursor: 0,
  anchor: undefined,
  goalColumn: undefined,
  undo: [],
  redo: [],
  kills: [],
  yanked: undefined,
  lastEdit: "other",
};

/** Cleans text for insertion: CRLF and CR become LF, controls other than tab are removed, lone surrogates become U+FFFD. */
export function cleanInput(text: string): string {
  if (/^[\x20-\x7e\n\t]*$/.test(text)) return text;
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "")
    .toWellFormed();
}

/** The same for a one-line input. */
export const cleanLineInput = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, "");

/** A new editor with the cursor at the end of `text`. */
export function createEditor(text = "", kills: readonly string[] = []): EditorState {
  const clean = cleanInput(text);
  return { ...EMPTY, text: clean, cursor: clean.length, kills };
}

export function selectionOf(state: EditorState): { start: number; end: number } | undefined {
  const { anchor, cursor } = state;
  if (anchor === undefined || anchor === cursor) return undefined;
  return { start: Math.min(anchor, cursor), end: Math.max(anchor, cursor) };
}

/** Moves the cursor to `to`, or the boundary before it, and clears the selection. */
export function moveTo(state: EditorState, to: number, goal?: number): EditorState {
  const cursor = toBoundary(state.text, to);
  return { ...state, cursor, anchor: undefined, goalColumn: goal, lastEdit: "other", yanked: undefined };
}

function canJoin(state: EditorState, change: Change, kind: LastEdit): boolean {
  const top = state.undo.at(-1);
  if (!top || state.lastEdit !== kind || state.redo.length > 0) return false;
  if (kind === "typing") {
    // An undo step is a word and the blanks before it.
    const wordBegins = /\s$/.test(top.inserted) && !/^\s/.test(change.inserted);
    return (
      change.removed === "" &&
      change.at === top.at + top.inserted.length &&
      !wordBegins &&
      change.inserted !== "\n"
    );
  }
  if (kind !== "deleting" || change.inserted !== "" || top.inserted !== "") return false;
  return change.at + change.removed.length === top.at || change.at === top.at;
}

function joinChanges(top: Change, change: Change): Change {
  if (change.removed === "") return { ...top, inserted: top.inserted + change.inserted };
  return change.at === top.at
    ? { ...top, removed: top.removed + change.removed }
    : { ...top, at: change.at, removed: change.removed + top.removed };
}

/** Replaces a range (moved to boundaries) and puts the cursor after the new text. All changes of text go through here. */
export function replaceRange(
  state: EditorState,
  start: number,
  end: number,
  inserted: string,
  kind: LastEdit = "other",
): EditorState {
  const clean = cleanInput(inserted);
  const { text } = state;
  const from = toBoundary(text, Math.min(start, end));
  const to = Math.max(from, toBoundary(text, Math.max(start, end)));
  const removed = text.slice(from, to);
  if (removed === "" && clean === "") return { ...state, anchor: undefined, goalColumn: undefined };
  const next = text.slice(0, from) + clean + text.slice(to);
  const change: Change = { at: from, removed, inserted: clean, cursorBefore: state.cursor };
  const join = canJoin(state, change, kind);
  const undo = join
    ? [...state.undo.slice(0, -1), joinChanges(state.undo.at(-1)!, change)]
    : [...state.undo, change].slice(-MAX_UNDO);
  // New text can combine with its neighbours (an accent, half a flag): the cursor moves past the combined grapheme.
  const cursor = pastCombined(next, from + clean.length);
  return {
    ...state,
    text: next,
    cursor,
    anchor: undefined,
    goalColumn: undefined,
    undo,
    redo: [],
    yanked: undefined,
    lastEdit: kind,
  };
}

function pastCombined(text: string, index: number): number {
  if (toBoundary(text, index) === index) return index;
  let at = index;
  while (at < text.length && toBoundary(text, at) !== at) at++;
  return at;
}

/** Undoes the last step. */
export function undo(state: EditorState): EditorState {
  const change = state.undo.at(-1);
  if (!change) return state;
  const { at, removed, inserted, cursorBefore } = change;
  const text = state.text.slice(0, at) + removed + state.text.slice(at + inserted.length);
  return {
    ...state,
    text,
    cursor: toBoundary(text, cursorBefore),
    anchor: undefined,
    goalColumn: undefined,
    undo: state.undo.slice(0, -1),
    redo: [...state.redo, change],
    yanked: undefined,
    lastEdit: "other",
  };
}

/** Redoes the step undone last. */
export function redo(state: EditorState): EditorState {
  const change = state.redo.at(-1);
  if (!change) return state;
  const { at, removed, inserted } = change;
  const text = state.text.slice(0, at) + inserted + state.text.slice(at + removed.length);
  return {
    ...state,
    text,
    cursor: pastCombined(text, at + inserted.length),
    anchor: undefined,
    goalColumn: undefined,
    undo: [...state.undo, change],
    redo: state.redo.slice(0, -1),
    yanked: undefined,
    lastEdit: "other",
  };
}
