/** Bans members from a channel. */
import { BAN_DELETIONS, type BanDeletion } from "../../wire/entities/moderation.ts";
import { command } from "../base/define-command.ts";
import { describeNames } from "../base/bulk/names.ts";
import { BAN_ARGS, banEach } from "./ban-members.ts";

export default command({
  summary: "Ban users from a channel",
  changes: "provider",
  examples: [
    "member ban bo -c messaging:ops --until 2h --reason 'too loud'",
    "member ban bo -c messaging:ops --delete soft --future",
  ],
  args: {
    ...BAN_ARGS,
    delete: { kind: "choice", choices: BAN_DELETIONS, help: "Also delete their messages in the channel" },
    future: { kind: "flag", help: "Also apply to channels you create later" },
    ip: { kind: "flag", help: "Also ban their IP address, where the provider can" },
  },
  confirm: (args) => ({
    level: args.delete === undefined ? "mild" : "moderate",
    question: `Ban ${describeNames(args.users, args)} from ${args.channel}${args.delete === undefined ? "" : " and delete what they wrote there"}?`,
  }),
  run(call) {
    const { delete: deletion, future, ip } = call.args;
    const options = {
      ...(deletion === undefined ? {} : { delete_messages: deletion as BanDeletion }),
      ...(future ? { ban_from_future_channels: true } : {}),
      ...(ip ? { ip_ban: true } : {}),
    };
    return banEach(call, options, false);
  },
  show: ({ user, channel }) => `${user} banned from ${channel}`,
});
