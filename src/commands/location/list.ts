/** Lists the user's active live locations. */
import type { SharedLocation } from "../../wire/entities/location.ts";
import { command, rowOf, type View } from "../base/define-command.ts";

/** Undefined when a degree is missing in the response. */
const place = ({ latitude, longitude }: Partial<SharedLocation>): string | undefined =>
  latitude === undefined || longitude === undefined ? undefined : `${latitude},${longitude}`;

export const locationRow = (location: SharedLocation): View =>
  rowOf(location, {
    message: "message_id",
    channel: "channel_cid",
    position: { cell: place(location) },
    until: "end_at",
    device: "created_by_device_id",
  });

export default command({
  summary: "List your live locations",
  changes: "nothing",
  examples: ["location list", "location list --json=message_id,end_at"],
  aliases: ["ls"],
  async *run(call): AsyncIterable<SharedLocation> {
    yield* await call.core.locations.load();
  },
  show: locationRow,
});
