/** Moves the user's live locations of this device, or one of them, to a new position (LU-7). */
import { DURATION } from "../base/args.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import { CommandError, command } from "../base/define-command.ts";
import { locationRow } from "./list.ts";
import { liveLocationEnd, POSITION, readPosition } from "./position.ts";

export default command({
  summary: "Move your live locations",
  changes: "provider",
  examples: [
    "location update 52.3711,4.8960",
    "location update Haarlem",
    "location update 52.3711,4.8960 --message ana-7f3c --for 2h",
  ],
  args: {
    position: POSITION,
    message: { kind: "message", help: "Only the location shared by this message" },
    for: { ...DURATION, help: "Let them end after this long from now" },
    device: { kind: "text", value: "id", help: "Id of the moving device (default: this one)" },
  },
  needsStore: true,
  async *run(call): AsyncIterable<SharedLocation> {
    const { args, core } = call;
    const position = await readPosition(args.position);
    const device = args.device ?? core.locations.deviceId();
    const end_at = liveLocationEnd(args.for);
    const active = await core.locations.load();
    const selected = active.filter((one) =>
      args.message === undefined ? one.created_by_device_id === device : one.message_id === args.message,
    );
    if (selected.length === 0)
      throw new CommandError(
        "notFound",
        args.message === undefined
          ? "You share no live location from this device."
          : `You share no live location in message ${args.message}.`,
        "parley location list",
      );
    const change = { ...position, ...(end_at === undefined ? {} : { end_at }) };
    for (const one of selected) yield (await core.locations.move(one.message_id!, change)) ?? one;
  },
  show: locationRow,
});
