/** The search panel. */
import { belowTitle, type Rect } from "../../screen/layout.ts";
import { memo, useMemo } from "react";
import { words } from "../../../text/words.ts";
import { useLook, useModel } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { topPanel } from "../../screen/screen.ts";
import type { Reads } from "../../screen/store.ts";
import { titleRow } from "../../components/title-row.ts";
import { searchCursor, searchRows } from "./rows.ts";

const SearchPanel = memo(({ rect }: { rect: Rect }) => {
  const { theme, utc, glyphs } = useLook();
  const search = useModel(["search"], ({ screen }) => screen.search);
  const state = useModel(["state"], (model) => model.state);
  const minute = useModel(["minute"], (model) => model.minute);
  const drawn = useMemo((): DrawnRows => {
    const { width, height } = belowTitle(rect);
    const look = { theme, utc, glyphs, width, height, now: minute };
    const title = titleRow(theme, words.panels.search, "", width);
    return { rect, rows: [title, ...searchRows(look, state, search)] };
  }, [rect, theme, utc, glyphs, search, state, minute]);
  return <Rows drawn={drawn} />;
});

/** Rendered only while it is the top panel. */
export const Search = memo(({ rect }: { rect: Rect }) => {
  const isOpen = useModel(["panels"], ({ screen }) => topPanel(screen)?.kind === "search");
  return isOpen ? <SearchPanel rect={rect} /> : null;
});

/** The position of the text cursor on the screen; undefined if the panel is not visible. */
export function searchCaret({
  layout,
  screen,
}: Reads<"layout" | "search">): { x: number; y: number } | undefined {
  if (!layout.panel) return undefined;
  const { x, y, width } = belowTitle(layout.panel);
  const at = searchCursor(screen.search, width);
  return { x: x + at.x, y: y + at.y };
}
