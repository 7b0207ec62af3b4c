/** A campaign in the panel: its progress, and stopping or resuming it. */
import { memo, useMemo } from "react";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { useLook } from "../../components/context.ts";
import { Rows, type DrawnRows } from "../../components/rows.tsx";
import type { PanelDefinition } from "../../ports/panels.ts";
import type { Rect } from "../../screen/layout.ts";
import { attempt } from "../../screen/notices.ts";
import type { ShownCampaign } from "../../../commands/campaign/view.ts";
import { changeCampaign } from "./actions.ts";
import { campaignRows } from "./rows.ts";
import { watchCampaign } from "./watch.ts";
import { CAMPAIGN_PANEL, type CampaignPanel } from "./state.ts";

const CampaignView = memo(({ panel, rect }: { panel: CampaignPanel; rect: Rect }) => {
  const { theme } = useLook();
  const drawn = useMemo((): DrawnRows => {
    const { width, height } = rect;
    const rows = campaignRows(panel, theme, width).slice(0, height);
    return { rect, rows: [...rows, ...Array<string>(Math.max(0, height - rows.length)).fill("")] };
  }, [panel, rect, theme]);
  return <Rows drawn={drawn} />;
});

/** What the provider does with its campaigns; a run of this machine is stopped and continued in a shell. */
const CAN_STOP: ReadonlySet<string> = new Set(["scheduled", "in_progress"]);
const CAN_RESUME: ReadonlySet<string> = new Set(["stopped", "incomplete"]);

const isAtProvider = (shown: ShownCampaign | undefined): shown is ShownCampaign =>
  shown !== undefined && !("mode" in shown);

export const campaignDefinition: PanelDefinition<CampaignPanel> = {
  name: CAMPAIGN_PANEL,
  section: "On a campaign",
  title: (_, { campaign: shown, key }) => `${words.campaigns.one} · ${cleanLine(shown?.name || key)}`,
  Body: CampaignView,
  actions: {
    stop: {
      title: "Stop the campaign (asks)",
      hint: "stop",
      former: "campaignStop",
      keys: ["s"],
      applies: (_, { campaign: shown }) => isAtProvider(shown) && CAN_STOP.has(shown.status),
      run: (ports, { key }) =>
        attempt(ports, changeCampaign(ports, "campaign stop", key, words.campaigns.stop(cleanLine(key)))),
    },
    resume: {
      title: "Resume a stopped campaign (asks)",
      hint: "resume",
      former: "campaignResume",
      keys: ["r"],
      applies: (_, { campaign: shown }) => isAtProvider(shown) && CAN_RESUME.has(shown.status),
      run: (ports, { key }) => attempt(ports, changeCampaign(ports, "campaign continue", key)),
    },
  },
  poll: { isDue: ({ over }) => !over, run: watchCampaign },
  keys: { l: "campaigns" },
  hints: [{ action: "campaigns" }],
};
