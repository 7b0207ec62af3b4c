/** Draws Inbox, Threads, Later, Drafts or the pins in the panel. */
import { memo, useMemo } from "react";
import { useModel, useModelParts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import { focusedList, type ListName } from "../../screen/screen.ts";
import { drawnList, LIST_SLICES, type ListInput } from "./pane.ts";

/** Side by side, so that they can be compared. */
const partsOf = ({ state, lists, look, now, screen: { cid, panels, drafts, cursors } }: ListInput) => ({
  state,
  lists,
  look,
  now,
  cid,
  panels,
  drafts,
  cursors,
});

export const List = memo(({ list, rect }: { list: ListName; rect: Rect }) => {
  const parts = useModelParts(LIST_SLICES, partsOf);
  const focused = useModel(["focus", "panels"], ({ screen }) => focusedList(screen) === list);
  const drawn = useMemo((): DrawnRows => {
    const { cid, panels, drafts, cursors, ...model } = parts;
    const screen = { panels, drafts, cursors, ...(cid !== undefined && { cid }) };
    return { rect, rows: drawnList({ ...model, screen }, list, rect, focused) };
  }, [parts, list, rect, focused]);
  return <Rows drawn={drawn} />;
});
