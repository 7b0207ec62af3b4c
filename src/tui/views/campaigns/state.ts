/** The state of a watched campaign. */
import type { ShownCampaign } from "../../../commands/campaign/view.ts";
import type { Panel } from "../../screen/screen.ts";

export const CAMPAIGN_PANEL = "campaign";

/** The key is its id. */
export interface CampaignPanel extends Panel {
  /** At the provider or of this machine, with its pace and, once it is over, whom it did not reach; absent until it is fetched. */
  readonly campaign?: ShownCampaign;
  /** The campaign has ended; it is not polled any more. */
  readonly over?: boolean;
  /** The error of the last fetch. */
  readonly fault?: string | undefined;
}

export const campaignPanel = (id: string): CampaignPanel => ({ name: CAMPAIGN_PANEL, key: id });
