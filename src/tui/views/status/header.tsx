/** The title line. */
import { memo, useMemo } from "react";
import { isMuted } from "../../../model/channels.ts";
import { words } from "../../../text/words.ts";
import { useLook, useModel, usePorts } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { Layout, Rect } from "../../screen/layout.ts";
import { openEntry } from "../../screen/selectors.ts";
import { topPanel } from "../../screen/screen.ts";
import { openView } from "../lists/lists.ts";
import { headerRow } from "./header-row.ts";
import { useLink } from "./use-link.ts";

export const Header = memo(({ rect, layout }: { rect: Rect; layout: Layout }) => {
  const { core, settings } = usePorts();
  const { theme } = useLook();
  const link = useLink();
  const entry = useModel(["state", "cid"], openEntry);
  const view = useModel(["panels", "focus", "layout"], openView);
  const muted = useModel(
    ["state", "cid", "minute"],
    ({ state, screen: { cid }, minute }) => cid !== undefined && isMuted(state, cid, minute),
  );
  const focused = useModel(
    ["focus", "panels"],
    ({ screen }) => screen.focus === "messages" || (screen.focus === "composer" && !topPanel(screen)),
  );
  // The clock is selected only while a countdown is shown.
  const now = useModel(["link", "now"], ({ link: { phase }, now: second }) =>
    phase === "waiting" ? second : 0,
  );
  const drawn = useMemo((): DrawnRows => {
    const { width } = rect;
    const profile = settings.readOnly ? words.readOnly.mark(settings.profile) : settings.profile;
    // Of two halves, the title at the right names the connection.
    const shownLink = rect.x + width === layout.columns ? link : undefined;
    const { withoutProvider } = settings;
    const row = {
      theme,
      width,
      entry,
      me: core.userId,
      muted,
      link: shownLink,
      profile,
      withoutProvider,
      now,
      focused,
      view,
    };
    return { rect, rows: [headerRow(row)] };
  }, [rect, layout, core, settings, theme, entry, muted, link, now, focused, view]);
  return <Rows drawn={drawn} />;
});
