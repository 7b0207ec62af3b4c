/** Arguments and messages of a campaign that goes on. */
import { CAMPAIGN } from "./campaign.ts";
import type { Args } from "../../base/define-command.ts";
import type { Campaign } from "../../../wire/entities/campaign.ts";

export interface FollowUp {
  /** The new campaign; undefined when nobody is left. */
  campaign?: Campaign;
  of: string;
  received: number;
  left: number;
}

export const FOLLOW_UP_ARGS = {
  campaign: { ...CAMPAIGN, help: "The id of a campaign, or its file" },
  acceptDuplicates: {
    kind: "flag",
    help: "Continue even if it cannot be proved who has received it; some may receive it twice",
  },
} as const satisfies Args;

export const followUpLine = ({ campaign, of, received, left }: FollowUp): string =>
  campaign === undefined
    ? `nobody is left of ${of}: ${received} have received it`
    : `${campaign.id} is ${campaign.status} for the ${left} who are left of ${of}; ${received} have received it`;
