/** The sidebar: views, groups of channels with their sums, and who types in them. */
import { memo, useMemo } from "react";
import { useLook, useModel } from "../../components/context.ts";
import { Rows } from "../../components/rows.tsx";
import type { Drawn } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import { countsOf } from "../lists/entries.ts";
import type { Counts } from "../lists/entries.ts";
import { draftedIn, sidebarLines, topFor } from "./lines.ts";
import type { SidebarLine } from "./lines.ts";
import { sidebarRows } from "./rows.ts";

/** The lines as they are now; the same ones while nothing in them has changed. */
function useLines(): SidebarLine[] {
  const state = useModel((model) => model.state);
  const open = useModel(({ screen }) => screen.cid);
  const folded = useModel(({ screen }) => screen.sidebar.folded);
  // As texts they are the same ones while nothing about them has changed.
  const counts = useModel((model) => JSON.stringify(countsOf(model)));
  const drafts = useModel(({ screen }) => [...draftedIn(screen)].join("\n"));
  const minute = useModel(({ now }) => Math.floor(now / 60_000));
  return useMemo(
    () =>
      sidebarLines({
        state,
        open,
        folded,
        drafts: new Set(drafts.split("\n")),
        counts: JSON.parse(counts) as Counts,
        now: minute * 60_000,
      }),
    [state, open, folded, drafts, counts, minute],
  );
}

export const Sidebar = memo(({ rect }: { rect: Rect }) => {
  const { theme } = useLook();
  const lines = useLines();
  const scrolled = useModel(({ screen }) => screen.sidebar.top);
  // The cursor is shown, and moves the list along, while the sidebar has the keys.
  const cursor = useModel(({ screen }) => (screen.focus === "sidebar" ? screen.sidebar.cursor : undefined));
  const top = topFor(lines, scrolled, rect.height, cursor);
  const drawn = useMemo((): Drawn => {
    const { width, height } = rect;
    return { rect, rows: sidebarRows(lines, { theme, width, height, top, cursor }) };
  }, [rect, theme, lines, top, cursor]);
  return <Rows drawn={drawn} />;
});
