/** The campaign that a command is about (CA-2). */
import { CAMPAIGN_ID_MISSING } from "../../../wire/entities/campaign.ts";

export const CAMPAIGN = {
  kind: "text",
  positional: true,
  help: "The campaign",
  missing: CAMPAIGN_ID_MISSING,
} as const;

/** What is typed to confirm what cannot be taken back. */
export const CAMPAIGN_WORD = { word: "the id of the campaign" };
