/** Lifts a ban of either kind. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

export default command({
  summary: "Lift a ban or a shadow ban",
  examples: ["member unban bo -c messaging:ops"],
  args: {
    user: { kind: "user", place: "positional", help: "The user" },
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
    future: { kind: "flag", help: "Also from channels you make later" },
  },
  async run(call) {
    const { args } = call;
    const cid = await cidOf(call, args.channel);
    await call.core.call("unban", {
      query: {
        target_user_id: args.user,
        ...pathOf(cid),
        ...(args.future ? { remove_future_channels_ban: true } : {}),
      },
    });
    return { user: args.user, channel: cid, banned: false };
  },
});
