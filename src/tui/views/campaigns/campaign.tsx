/** A campaign in the right panel. */
import { memo, useMemo } from "react";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { useLook } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import { titleRow } from "../../components/title-row.ts";
import type { Rect } from "../../screen/layout.ts";
import type { CampaignPanel } from "../../screen/screen.ts";
import { campaignRows } from "./rows.ts";

export const CampaignView = memo(({ panel, rect }: { panel: CampaignPanel; rect: Rect }) => {
  const { theme } = useLook();
  const drawn = useMemo((): DrawnRows => {
    const { width, height } = rect;
    const name = cleanLine(panel.campaign?.name || panel.id);
    const rows = campaignRows(panel, theme, width).slice(0, height - 1);
    while (rows.length < height - 1) rows.push("");
    return { rect, rows: [titleRow(theme, `${words.campaigns.one} · ${name}`, "", width), ...rows] };
  }, [panel, rect, theme]);
  return <Rows drawn={drawn} />;
});
