/** Sends a custom event to a channel's watchers, or to one user. */
import { CommandError, command } from "../base/define-command.ts";
import { CUSTOM, readPairs } from "../base/custom-fields.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Send a custom event to a channel or a user",
  changes: "provider",
  examples: ["event send wave -c '#ops' --custom mood=happy", "event send refresh --user ana"],
  args: {
    type: { kind: "text", positional: true, help: "Type of the event, without a dot" },
    channel: { kind: "channel", short: "c", help: "Send it to the watchers of this channel" },
    user: { kind: "user", help: "Send it to this user instead (needs the secret)" },
    thread: { kind: "message", help: "The thread it is about (typing.start, typing.stop)" },
    custom: CUSTOM,
  },
  async run(call) {
    const { type, channel, user, thread, custom } = call.args;
    if (user !== undefined && channel !== undefined)
      throw new CommandError("usage", "--user and --channel cannot be combined.");
    const event = {
      ...readPairs(custom, "--custom"),
      ...(thread === undefined ? {} : { parent_id: thread }),
      type,
    };
    if (user !== undefined) {
      await call.core.call("sendUserEvent", { path: { id: user }, body: { event } });
      return { type, user_id: user };
    }
    const target = channel ?? call.currentChannel;
    if (target === undefined)
      throw new CommandError("usage", "No recipient is named.", "Give -c <channel> or --user <user>.");
    const path = pathOf(await cidOf(call, target));
    return (await call.core.call("sendEvent", { path, body: { event } })).event;
  },
  show: ({ type }) => `${type} sent`,
});
