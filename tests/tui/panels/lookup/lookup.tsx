/** A panel with a line of text as its recipe says. */
import { Rows } from "../../../../src/tui/components/rows.tsx";
import { createEditor, type EditorState } from "../../../../src/tui/editor/state.ts";
import type { PanelDefinition } from "../../../../src/tui/ports/panels.ts";
import { panelsChanged, topPanelOf, type Panel } from "../../../../src/tui/screen/screen.ts";
import { panelPushed } from "../../../../src/tui/screen/transitions.ts";

interface LookupPanel extends Panel {
  readonly editor: EditorState;
}

/** What was looked up, in order. */
export const asked: string[] = [];

const empty = (): LookupPanel => ({ name: "lookup", key: "", editor: createEditor() });

export const lookup: PanelDefinition<LookupPanel> = {
  name: "lookup",
  section: "Looking up",
  title: () => "Lookup",
  Body: ({ panel, rect }) => <Rows drawn={{ rect, rows: [`? ${panel.editor.text}`] }} />,
  show: {
    title: "Look something up",
    run: ({ store }) => store.update((s) => panelPushed(s, empty())),
  },
  line: {
    editor: ({ store }) => topPanelOf<LookupPanel>(store.screen, "lookup")!.editor,
    change: ({ store }, editor) =>
      store.update((s) =>
        panelsChanged<LookupPanel>(s, { name: "lookup", key: "" }, (panel) => ({ ...panel, editor })),
      ),
    caret: () => ({ x: 2, y: 0 }),
  },
  actions: {
    ask: {
      title: "Ask for it",
      hint: "ask",
      keys: ["enter"],
      applies: (_, { editor }) => editor.text !== "",
      run: (_, { editor }) => void asked.push(editor.text),
    },
  },
  poll: { isDue: ({ editor }) => editor.text === "now", run: () => void asked.push("again") },
};
