/** A text being edited as immutable data: text, cursor, selection, undo and cut texts. */
import { toBoundary } from "./boundaries.ts";

/** One replacement: at `at`, `removed` became `inserted`; `before` is where the cursor had been. */
interface Change {
  at: number;
  removed: string;
  inserted: string;
  before: number;
}

/** What the last edit was, so that the next one may join it. */
type LastEdit = "typing" | "deleting" | "kill" | "yank" | "other";

export interface EditorState {
  readonly text: string;
  /** UTF-16 offset, always between graphemes. */
  readonly cursor: number;
  /** The other end of the selection, if there is one. */
  readonly anchor: number | undefined;
  /** The column that moving up and down tries to keep (cells). */
  readonly goal: number | undefined;
  readonly undo: readonly Change[];
  readonly redo: readonly Change[];
  /** Texts cut by kills, newest first. */
  readonly kills: readonly string[];
  /** Where the last yank stands, and which kill it was. */
  readonly yanked: { start: number; end: number; index: number } | undefined;
  readonly last: LastEdit;
}

/** Units that can be undone. */
const UNDO_LIMIT = 500;

const EMPTY: EditorState = {
  text: "",
  cursor: 0,
  anchor: undefined,
  goal: undefined,
  undo: [],
  redo: [],
  kills: [],
  yanked: undefined,
  last: "other",
};

/** What may be inserted: CRLF and CR become LF, other controls than tab go, lone surrogates become U+FFFD. */
export function cleanInput(text: string): string {
  if (/^[\x20-\x7e\n\t]*$/.test(text)) return text;
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "")
    .toWellFormed();
}

/** A typed or pasted text for a box of one line. */
export const cleanLineInput = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, "");

/** A fresh editor on `text` with the cursor at its end; what was cut before stays at hand. */
export function createEditor(text = "", kills: readonly string[] = []): EditorState {
  const clean = cleanInput(text);
  return { ...EMPTY, text: clean, cursor: clean.length, kills };
}

/** The selected range, in order, or undefined. */
export function selectionOf(state: EditorState): { start: number; end: number } | undefined {
  const { anchor, cursor } = state;
  if (anchor === undefined || anchor === cursor) return undefined;
  return { start: Math.min(anchor, cursor), end: Math.max(anchor, cursor) };
}

/** Puts the cursor at `to` (moved back to a boundary); nothing is selected then. */
export function moveTo(state: EditorState, to: number, goal?: number): EditorState {
  const cursor = toBoundary(state.text, to);
  return { ...state, cursor, anchor: undefined, goal, last: "other", yanked: undefined };
}

function canJoin(state: EditorState, change: Change, kind: LastEdit): boolean {
  const top = state.undo.at(-1);
  if (!top || state.last !== kind || state.redo.length > 0) return false;
  if (kind === "typing") {
    // A unit of undo is a word and the blanks before it.
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

function joined(top: Change, change: Change): Change {
  if (change.removed === "") return { ...top, inserted: top.inserted + change.inserted };
  return change.at === top.at
    ? { ...top, removed: top.removed + change.removed }
    : { ...top, at: change.at, removed: change.removed + top.removed };
}

/** Replaces a range; both ends are moved back to boundaries and the cursor ends behind the new text. The one way to change text. */
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
  const upTo = Math.max(from, toBoundary(text, Math.max(start, end)));
  const removed = text.slice(from, upTo);
  if (removed === "" && clean === "") return { ...state, anchor: undefined, goal: undefined };
  const next = text.slice(0, from) + clean + text.slice(upTo);
  const change: Change = { at: from, removed, inserted: clean, before: state.cursor };
  const join = canJoin(state, change, kind);
  const undo = join
    ? [...state.undo.slice(0, -1), joined(state.undo.at(-1)!, change)]
    : [...state.undo, change].slice(-UNDO_LIMIT);
  // New text can join with its neighbours (an accent, half a flag): the cursor goes on past what it became part of.
  const cursor = pastJoin(next, from + clean.length);
  return {
    ...state,
    text: next,
    cursor,
    anchor: undefined,
    goal: undefined,
    undo,
    redo: [],
    yanked: undefined,
    last: kind,
  };
}

function pastJoin(text: string, index: number): number {
  if (toBoundary(text, index) === index) return index;
  let at = index;
  while (at < text.length && toBoundary(text, at) !== at) at++;
  return at;
}

/** Takes the last unit back. */
export function undo(state: EditorState): EditorState {
  const change = state.undo.at(-1);
  if (!change) return state;
  const { at, removed, inserted, before } = change;
  const text = state.text.slice(0, at) + removed + state.text.slice(at + inserted.length);
  return {
    ...state,
    text,
    cursor: toBoundary(text, before),
    anchor: undefined,
    goal: undefined,
    undo: state.undo.slice(0, -1),
    redo: [...state.redo, change],
    yanked: undefined,
    last: "other",
  };
}

/** Does again what was taken back last. */
export function redo(state: EditorState): EditorState {
  const change = state.redo.at(-1);
  if (!change) return state;
  const { at, removed, inserted } = change;
  const text = state.text.slice(0, at) + inserted + state.text.slice(at + removed.length);
  return {
    ...state,
    text,
    cursor: pastJoin(text, at + inserted.length),
    anchor: undefined,
    goal: undefined,
    undo: [...state.undo, change],
    redo: state.redo.slice(0, -1),
    yanked: undefined,
    last: "other",
  };
}
