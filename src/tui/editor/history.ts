/** The history of sent messages, browsed with the arrow keys; the draft is its last entry. */
import { setText } from "./edits.ts";
import type { EditorState } from "./state.ts";

export interface MessageHistory {
  /** Oldest first, without consecutive duplicates. */
  readonly entries: readonly string[];
  /** The entry shown; `entries.length` is the draft. */
  readonly index: number;
  readonly draft: string;
}

const MAX_ENTRIES = 200;

export const NO_HISTORY: MessageHistory = { entries: [], index: 0, draft: "" };

/** Adds a sent message and returns to the draft. */
export function addToHistory(history: MessageHistory, text: string): MessageHistory {
  const entries =
    text.trim() === "" || history.entries.at(-1) === text
      ? history.entries
      : [...history.entries, text].slice(-MAX_ENTRIES);
  return { entries, index: entries.length, draft: "" };
}

/** Shows the next older (−1) or newer (1) entry; undefined if there is none. */
export function stepHistory(
  history: MessageHistory,
  state: EditorState,
  by: -1 | 1,
): { history: MessageHistory; state: EditorState } | undefined {
  const { entries, index } = history;
  const target = index + by;
  if (target < 0 || target > entries.length) return undefined;
  const draft = index === entries.length ? state.text : history.draft;
  return { history: { entries, index: target, draft }, state: setText(state, entries[target] ?? draft) };
}
