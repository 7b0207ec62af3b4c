/** Draws Inbox, Threads, Later, Drafts or the pins in the panel. */
import { memo, useMemo } from "react";
import { useLook, useModel } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import { focusedList, type ListName } from "../../screen/screen.ts";
import { drawnList } from "./pane.ts";

export const List = memo(({ list, rect }: { list: ListName; rect: Rect }) => {
  const look = useLook();
  const state = useModel((model) => model.state);
  const lists = useModel((model) => model.lists);
  const screen = useModel((model) => model.screen);
  const focused = useModel((model) => focusedList(model.screen) === list);
  const second = useModel(({ now }) => Math.floor(now / 1000));
  const drawn = useMemo(
    (): DrawnRows => ({
      rect,
      rows: drawnList({ state, lists, screen, look, now: second * 1000 }, list, rect, focused),
    }),
    [state, lists, screen, look, second, list, rect, focused],
  );
  return <Rows drawn={drawn} />;
});
