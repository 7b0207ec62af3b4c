/** Takes members out of a channel, a hundred a call. */
import { command } from "../base/define-command.ts";
import { USERS_ARGS, whom } from "../base/names.ts";
import { inParts } from "./in-parts.ts";

export default command({
  summary: "Remove members from a channel",
  examples: ["member remove bo -c messaging:ops", "member remove --file gone.txt -c messaging:ops --yes"],
  aliases: ["rm"],
  args: {
    ...USERS_ARGS,
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
    say: { kind: "text", help: "Post this as a system message about it" },
  },
  confirm: (args) => ({
    level: "mild",
    question: `Remove ${whom(args.users, args, "members")} from ${args.channel}?`,
  }),
  run: (call) =>
    inParts(call, call.args.channel, "removed", (part) => ({ remove_members: part }), call.args.say),
});
