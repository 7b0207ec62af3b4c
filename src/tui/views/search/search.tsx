/** The search panel. */
import { memo, useMemo } from "react";
import { words } from "../../../text/words.ts";
import { useLook, useModel } from "../../components/context.ts";
import { placeInList } from "../../components/box.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { PanelDefinition } from "../../ports/panels.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Panel } from "../../screen/screen.ts";
import { SEARCH } from "../../screen/search.ts";
import { withFocus } from "../../screen/transitions.ts";
import { openResult, openSearch, openSelected, searchStep } from "./actions.ts";
import { foundLines, isSelectableLine, selectedResult } from "./lines.ts";
import { resultLineAt, searchCursor, searchRows } from "./rows.ts";

const SearchView = memo(({ rect }: { panel: Panel; rect: Rect }) => {
  const { theme, utc, glyphs } = useLook();
  const search = useModel(["search"], ({ screen }) => screen.search);
  const state = useModel(["state"], (model) => model.state);
  const minute = useModel(["minute"], (model) => model.minute);
  const drawn = useMemo((): DrawnRows => {
    const { width, height } = rect;
    const look = { theme, utc, glyphs, width, height, now: minute };
    return { rect, rows: searchRows(look, state, search) };
  }, [rect, theme, utc, glyphs, search, state, minute]);
  return <Rows drawn={drawn} />;
});

/** Lines that a page key moves. */
const PAGE = 5;

export const searchDefinition: PanelDefinition<Panel> = {
  name: SEARCH,
  section: "In the search",
  title: () => words.panels.search,
  position({ state, screen: { search } }) {
    const lines = foundLines(state, search).filter(isSelectableLine);
    const at = lines.indexOf(selectedResult(lines, search.selected)!);
    return placeInList(at, at < 0 ? 0 : lines.length);
  },
  Body: SearchView,
  acrossChannels: true,
  show: {
    title: "Search all channels",
    hint: "search",
    keywords: "find look grep history messages message",
    former: "search",
    run: (ports) => openSearch(ports),
  },
  line: {
    editor: ({ store }) => store.screen.search.editor,
    change: ({ finder }, editor) => finder.setEditor(editor),
    caret: ({ screen }, { width }) => searchCursor(screen.search, width),
  },
  actions: {
    open: {
      title: "Go to the result",
      hint: "go there",
      former: "searchOpen",
      keys: ["enter"],
      applies: ({ state, screen: { search } }) =>
        selectedResult(foundLines(state, search), search.selected) !== undefined,
      run: openSelected,
    },
  },
  list: { move: (ports, _, by) => searchStep(by)(ports), page: () => PAGE },
  /** A click opens a result. */
  click(ports, _, { y }, { width, height }) {
    const { state, screen, look, now } = ports.store.get();
    const at = { theme: look.theme, utc: look.utc, width, height, now };
    const line = resultLineAt(at, state, screen.search, y);
    if (line) openResult(ports, line);
    else ports.store.update((s) => withFocus(s, "panel"));
  },
  wheel: (ports, _, rows) => searchStep(Math.sign(rows))(ports),
};
