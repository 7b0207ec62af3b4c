/** Lifts bans and shadow bans from a channel. */
import { command } from "../base/define-command.ts";
import { banIs } from "../base/bulk/left-state.ts";
import { changeEachUser, USERS_ARGS } from "../base/bulk/names.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Lift bans and shadow bans",
  changes: "provider",
  examples: ["member unban bo -c messaging:ops", "member unban bo -c '#ops' --future"],
  args: {
    ...USERS_ARGS,
    channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
    future: { kind: "flag", help: "Also apply to channels you create later" },
  },
  async *run(call) {
    const cid = await cidOf(call, call.args.channel);
    const where = {
      ...pathOf(cid),
      ...(call.args.future ? { remove_future_channels_ban: true } : {}),
    };
    yield* changeEachUser(call, {
      batchSize: 1,
      send: ([user]) => call.core.call("unban", { query: { target_user_id: user!, ...where } }),
      isDone: banIs(call.core, cid, false),
      result: "unbanned",
      resultOf: (user) => ({ user, channel: cid, banned: false }),
    });
  },
  show: ({ user, channel }) => `${user} unbanned from ${channel}`,
});
