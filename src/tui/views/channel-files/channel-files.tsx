/** The files, pictures and links of a channel in the right panel. */
import { memo, useMemo } from "react";
import { useLook, useModel } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Rect } from "../../screen/layout.ts";
import type { FilesPanel } from "../../screen/screen.ts";
import { fileLines } from "./lines.ts";
import { fileRows } from "./rows.ts";

export const ChannelFiles = memo(({ panel, rect }: { panel: FilesPanel; rect: Rect }) => {
  const { theme, utc } = useLook();
  const entry = useModel(({ state }) => state.channels.get(panel.cid));
  const focused = useModel(({ screen }) => screen.focus === "panel");
  const lines = useMemo(() => (entry ? fileLines(entry, panel.found) : []), [entry, panel.found]);
  const drawn = useMemo((): DrawnRows => {
    const { width, height } = rect;
    return { rect, rows: fileRows(panel, lines, { theme, width, height, utc, focused }) };
  }, [rect, panel, lines, theme, utc, focused]);
  return <Rows drawn={drawn} />;
});
