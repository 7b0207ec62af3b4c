/** The title line. */
import { memo, useMemo } from "react";
import { isMuted } from "../../../model/channels.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Layout, Rect } from "../../screen/layout.ts";
import { headerRow } from "./header-row.ts";
import { useLink } from "./use-link.ts";

export const Header = memo(({ rect, layout }: { rect: Rect; layout: Layout }) => {
  const { core, settings } = usePorts();
  const { theme } = useLook();
  const link = useLink();
  const entry = useModel(({ state, screen }) =>
    screen.cid === undefined ? undefined : state.channels.get(screen.cid),
  );
  const muted = useModel(
    ({ state, screen, now }) => screen.cid !== undefined && isMuted(state, screen.cid, now),
  );
  // The clock is selected only while a countdown is shown.
  const second = useModel(({ state, now }) => (state.link.phase === "waiting" ? Math.floor(now / 1000) : 0));
  const drawn = useMemo((): DrawnRows => {
    const { columns: width, rules } = layout;
    const { profile } = settings;
    const row = { theme, width, entry, me: core.userId, muted, link, profile, now: second * 1000, rules };
    return { rect, rows: [headerRow(row)] };
  }, [rect, layout, core, settings, theme, entry, muted, link, second]);
  return <Rows drawn={drawn} />;
});
