/** The segment that a command is about (CA-3). */
import { SEGMENT_ID_MISSING } from "../../wire/entities/campaign.ts";

export const SEGMENT = {
  kind: "text",
  positional: true,
  help: "The segment",
  missing: SEGMENT_ID_MISSING,
} as const;
