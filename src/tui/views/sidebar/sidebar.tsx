/** The sidebar: views, groups of channels with their totals, and who is typing. */
import { memo, useMemo } from "react";
import { useLook, useModel } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import { listCounts, openView, type ListCounts } from "../lists/lists.ts";
import { ENTRY_SLICES } from "../lists/user-list.ts";
import { channelsWithDrafts, sidebarLines, sidebarWindow, type SidebarLine } from "./lines.ts";
import { filterCursor, filterRow, sidebarRows } from "./rows.ts";
import type { Reads } from "../../screen/store.ts";

/** The lines; the same array while nothing in them has changed. */
function useLines(): SidebarLine[] {
  const state = useModel(["state"], (model) => model.state);
  const open = useModel(["cid"], ({ screen }) => screen.cid);
  const folded = useModel(["sidebar"], ({ screen }) => screen.sidebar.folded);
  const arrangement = useModel(["sidebar"], ({ screen }) => screen.sidebar.arrangement);
  const filter = useModel(["sidebar"], ({ screen }) => screen.sidebar.filter);
  const look = useModel(["look"], (model) => model.look.sidebar);
  // Selected as strings, so that equal values do not cause a render.
  const counts = useModel(ENTRY_SLICES, (model) => JSON.stringify(listCounts(model)));
  const drafts = useModel(["cid", "panels", "drafts"], ({ screen }) =>
    [...channelsWithDrafts(screen)].join("\n"),
  );
  const unreadOnly = useModel(["sidebar"], ({ screen }) => screen.sidebar.unreadOnly);
  const view = useModel(["panels", "focus", "layout"], openView);
  const minute = useModel(["minute"], (model) => model.minute);
  return useMemo(
    () =>
      sidebarLines({
        state,
        open,
        folded,
        drafts: new Set(drafts.split("\n")),
        counts: JSON.parse(counts) as ListCounts,
        now: minute,
        arrangement,
        filter,
        look,
        unreadOnly,
        view,
      }),
    [state, open, folded, drafts, counts, minute, arrangement, filter, look, unreadOnly, view],
  );
}

export const Sidebar = memo(({ rect }: { rect: Rect }) => {
  const { theme } = useLook();
  const lines = useLines();
  const scrolled = useModel(["sidebar"], ({ screen }) => screen.sidebar.top);
  const filter = useModel(["sidebar"], ({ screen }) => screen.sidebar.filter);
  // The cursor is shown, and scrolls the list, only while the sidebar has the focus.
  const cursor = useModel(["focus", "sidebar"], ({ screen }) =>
    screen.focus === "sidebar" ? screen.sidebar.cursor : undefined,
  );
  const drawn = useMemo((): DrawnRows => {
    const { width } = rect;
    const typed = filter === undefined ? [] : [filterRow(theme, width, filter, lines.length === 0)];
    const height = Math.max(0, rect.height - typed.length);
    const window = sidebarWindow(lines, height, scrolled, cursor);
    return { rect, rows: [...typed, ...sidebarRows(window, { theme, width, cursor })] };
  }, [rect, theme, lines, scrolled, filter, cursor]);
  return <Rows drawn={drawn} />;
});

/** The position of the text cursor in the filter; undefined if the sidebar is not visible. */
export function filterCaret({
  layout,
  screen,
}: Reads<"layout" | "sidebar">): { x: number; y: number } | undefined {
  const { sidebar } = layout;
  const x = sidebar && filterCursor(sidebar.width, screen.sidebar.filter ?? "");
  return x === undefined ? undefined : { x: sidebar!.x + Math.min(x, sidebar!.width - 1), y: sidebar!.y };
}
