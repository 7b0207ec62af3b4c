/** Hides what a user writes in a channel from everybody else, without telling them. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";
import { BAN_ARGS, banned, minutesUntil } from "./banning.ts";

export default command({
  summary: "Hide a user's new messages from everybody else",
  examples: ["member shadow-ban bo -c messaging:ops --until 7d"],
  args: BAN_ARGS,
  confirm: ({ user, channel }) => ({
    level: "mild",
    question: `Hide what ${user} writes in ${channel} from everybody else?`,
  }),
  async run(call) {
    const { args } = call;
    const cid = await cidOf(call, args.channel);
    await call.core.call("ban", {
      body: {
        target_user_id: args.user,
        ...pathOf(cid),
        shadow: true,
        ...minutesUntil(args.until),
        ...(args.reason === undefined ? {} : { reason: args.reason }),
      },
    });
    return banned(cid, args, true);
  },
});
