/** The campaign that a command is about (CA-2). */
import { CAMPAIGN_ID_MISSING } from "../../../wire/entities/campaign.ts";

export const CAMPAIGN = {
  kind: "text",
  positional: true,
  help: "The campaign",
  missing: CAMPAIGN_ID_MISSING,
} as const;
