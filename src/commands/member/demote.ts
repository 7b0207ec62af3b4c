/** Makes moderators of a channel members again. */
import { command } from "../base/define-command.ts";
import { USERS_ARGS, whom } from "../base/names.ts";
import { inParts } from "./in-parts.ts";

export default command({
  summary: "Make moderators of a channel members again",
  examples: ["member demote ana -c messaging:ops", "member demote ana bo -c '#ops'"],
  args: {
    ...USERS_ARGS,
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
  },
  needs: "secret",
  confirm: (args) => ({
    level: "mild",
    question: `Take the rights of moderators of ${args.channel} from ${whom(args.users, args)}?`,
  }),
  run: (call) =>
    inParts(call, call.args.channel, "demoted", (part) => ({
      demote_moderators: part,
    })),
});
