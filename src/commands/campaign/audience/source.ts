/** Determines the source of the audience of a campaign file. */
import { audienceKey, type CampaignFile } from "../file/read.ts";
import type { AudienceSource } from "./targets.ts";

/** `called` is its name in messages. */
export function audienceSource({ fields, audience }: CampaignFile): AudienceSource & { label: string } {
  const { user_ids: ids = [], segment_ids: segmentIds = [] } = fields;
  const segments = audience.segment === undefined ? (audience.segments ?? segmentIds) : [audience.segment];
  switch (audienceKey(audience)) {
    case "filter":
      return { filter: audience.filter!, label: "a filter" };
    case "ids":
    case "csv":
    case "ndjson": {
      const file = (audience.ids ?? audience.csv ?? audience.ndjson)!;
      return { file, label: file === "-" ? "standard input" : file.split(/[/\\]/).at(-1)! };
    }
    default:
      return segments.length > 0
        ? { segments, label: `segment ${segments.join(", ")}` }
        : { ids, label: "user_ids" };
  }
}
