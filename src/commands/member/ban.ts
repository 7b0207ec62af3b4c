/** Bans a member from a channel. */
import { BAN_DELETIONS, type BanDeletion } from "../../wire/moderation.ts";
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";
import { BAN_ARGS, banned, minutesUntil } from "./banning.ts";

export default command({
  summary: "Ban a user from a channel",
  examples: [
    "member ban bo -c messaging:ops --until 2h --reason 'too loud'",
    "member ban bo -c messaging:ops --delete soft --future",
  ],
  args: {
    ...BAN_ARGS,
    delete: { kind: "choice", choices: BAN_DELETIONS, help: "Delete their messages in the channel too" },
    future: { kind: "flag", help: "Also from channels you make later" },
    ip: { kind: "flag", help: "Ban their address too, where the provider can" },
  },
  confirm: ({ user, channel, delete: how }) => ({
    level: how === undefined ? "mild" : "moderate",
    question: `Ban ${user} from ${channel}${how === undefined ? "" : " and delete what they wrote there"}?`,
  }),
  async run(call) {
    const { args } = call;
    const cid = await cidOf(call, args.channel);
    await call.core.call("ban", {
      body: {
        target_user_id: args.user,
        ...pathOf(cid),
        ...minutesUntil(args.until),
        ...(args.reason === undefined ? {} : { reason: args.reason }),
        ...(args.delete === undefined ? {} : { delete_messages: args.delete as BanDeletion }),
        ...(args.future ? { ban_from_future_channels: true } : {}),
        ...(args.ip ? { ip_ban: true } : {}),
      },
    });
    return banned(cid, args, false);
  },
});
