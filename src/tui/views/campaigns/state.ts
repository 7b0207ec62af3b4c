/** The state of a watched campaign. */
import type { Pace } from "../../../commands/campaign/pace.ts";
import type { CampaignOutcome } from "../../../commands/campaign/receipts/outcome.ts";
import type { Panel } from "../../screen/screen.ts";

export const CAMPAIGN_PANEL = "campaign";

/** A campaign with its pace and, once it is over, whom it did not reach. */
export type WatchedCampaign = CampaignOutcome & Pace;

/** The key is its id. */
export interface CampaignPanel extends Panel {
  /** Absent until it is fetched. */
  readonly campaign?: WatchedCampaign;
  /** The campaign has ended; it is not polled any more. */
  readonly over?: boolean;
  /** The error of the last fetch. */
  readonly fault?: string | undefined;
}

export const campaignPanel = (id: string): CampaignPanel => ({ name: CAMPAIGN_PANEL, key: id });
