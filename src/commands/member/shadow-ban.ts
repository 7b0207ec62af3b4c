/** Shadow-bans users: what they write in a channel is hidden from everybody else, without their knowledge. */
import { command } from "../base/define-command.ts";
import { describeNames } from "../base/bulk/names.ts";
import { BAN_ARGS, banEach } from "./ban-members.ts";

export default command({
  summary: "Hide users' new messages from everybody else",
  changes: "provider",
  examples: [
    "member shadow-ban bo -c messaging:ops --until 7d",
    "member shadow-ban bo -c '#ops' --reason spam",
  ],
  args: BAN_ARGS,
  confirm: (args) => ({
    level: "mild",
    question: `Hide the new messages of ${describeNames(args.users, args)} in ${args.channel} from everybody else?`,
  }),
  run: (call) => banEach(call, { shadow: true }, true),
  show: ({ user, channel }) => `${user} shadow banned from ${channel}`,
});
