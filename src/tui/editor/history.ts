/** The history of sent messages, browsed with the arrows; the draft is at its end. */
import { setText } from "./edits.ts";
import type { EditorState } from "./state.ts";

export interface MessageHistory {
  /** Oldest first, no two alike in a row. */
  readonly entries: readonly string[];
  /** The entry that is shown; `entries.length` is the draft. */
  readonly index: number;
  readonly draft: string;
}

const LIMIT = 200;

export const NO_HISTORY: MessageHistory = { entries: [], index: 0, draft: "" };

/** Adds a sent message and goes back to the draft. */
export function addToHistory(history: MessageHistory, text: string): MessageHistory {
  const entries =
    text.trim() === "" || history.entries.at(-1) === text
      ? history.entries
      : [...history.entries, text].slice(-LIMIT);
  return { entries, index: entries.length, draft: "" };
}

/** The next older (−1) or newer (1) entry in the editor; undefined when there is none that way. */
export function stepHistory(
  history: MessageHistory,
  state: EditorState,
  by: -1 | 1,
): { history: MessageHistory; state: EditorState } | undefined {
  const { entries, index } = history;
  const to = index + by;
  if (to < 0 || to > entries.length) return undefined;
  const draft = index === entries.length ? state.text : history.draft;
  return { history: { entries, index: to, draft }, state: setText(state, entries[to] ?? draft) };
}
