/** Ends the user's live locations: of a message, of a channel, or all (LU-4). */
import type { SharedLocation } from "../../wire/entities/location.ts";
import { CommandError, command } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { locationRow } from "./list.ts";

export default command({
  summary: "Stop sharing your live locations",
  changes: "provider",
  examples: ["location stop", "location stop ana-7f3c", "location stop -c messaging:ops"],
  args: {
    message: {
      kind: "message",
      positional: true,
      optional: true,
      help: "Only the location shared by this message",
    },
    channel: { kind: "channel", short: "c", help: "Only in this channel" },
  },
  async *run(call): AsyncIterable<SharedLocation> {
    const { args, core } = call;
    const cid = args.channel === undefined ? undefined : await cidOf(call, args.channel);
    const active = await core.locations.load();
    const selected = active.filter(
      (one) =>
        (args.message === undefined || one.message_id === args.message) &&
        (cid === undefined || one.channel_cid === cid),
    );
    if (selected.length === 0 && (args.message !== undefined || cid !== undefined))
      throw new CommandError(
        "notFound",
        "You are not sharing a live location there.",
        "parley location list",
      );
    for (const { message_id } of selected) yield await core.locations.stop(message_id!);
  },
  show: locationRow,
});
