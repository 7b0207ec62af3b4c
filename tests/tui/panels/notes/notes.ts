/** A panel as its recipe says: all of it is in this folder. */
import { listPane, type ChannelListState } from "../../../../src/tui/components/list-pane.tsx";

interface NotesPanel extends ChannelListState {
  /** Loaded so far. */
  readonly texts: readonly string[];
}

const PAGE = 40;

/** Texts that were opened, in order. */
export const opened: string[] = [];

export const notes = listPane<string, NotesPanel>({
  name: "notes",
  section: "In the notes",
  title: "Notes",
  show: { title: "Notes of this channel", keywords: "jottings" },
  open: (cid) => ({ name: "notes", key: cid, cid, texts: [] }),
  items: (_, { texts }) => texts,
  keyOf: (text) => text,
  rows: (text, { theme }) => [theme.bold(text)],
  footer: (_, { next }) => (next === undefined ? undefined : "more notes"),
  async load(_, { next = "0" }) {
    const from = Number(next);
    const page = Array.from({ length: PAGE }, (__, i) => `note ${from + i}`);
    return {
      ...(from === 0 && { next: String(PAGE) }),
      change: (panel) => ({ ...panel, texts: [...panel.texts, ...page] }),
    };
  },
  choose: { title: "Open the note", hint: "read", run: (_, text) => void opened.push(text) },
  actions: {
    burn: {
      title: "Burn the note",
      hint: "burn",
      keys: ["b"],
      appliesTo: (text) => text !== "note 0",
      run: (_, text) => void opened.push(`no more ${text}`),
    },
  },
});
