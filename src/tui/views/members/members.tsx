/** The members of a channel in the right panel. */
import { memo, useMemo } from "react";
import { useLook, useModel } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import type { MembersPanel } from "../../screen/screen.ts";
import { words } from "../../../text/words.ts";
import { memberLines } from "./lines.ts";
import { memberListRows } from "./rows.ts";

export const Members = memo(({ panel, rect }: { panel: MembersPanel; rect: Rect }) => {
  const { theme } = useLook();
  const entry = useModel(({ state }) => state.channels.get(panel.cid));
  const focused = useModel(({ screen }) => screen.focus === "panel");
  const drawn = useMemo((): DrawnRows => {
    if (!entry) return { rect, rows: [theme.dim(` ${words.channel.gone}`)] };
    const { width, height } = rect;
    return {
      rect,
      rows: memberListRows(panel, memberLines(entry.members), entry, { theme, width, height, focused }),
    };
  }, [rect, panel, entry, theme, focused]);
  return <Rows drawn={drawn} />;
});
