/** Makes moderators of a channel members again. */
import { MEMBERS_PER_CALL } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { inParts } from "./in-parts.ts";
import { userIds } from "./remove.ts";

export default command({
  summary: "Make moderators of a channel members again",
  examples: ["member demote ana -c messaging:ops"],
  args: {
    users: { kind: "list", place: "positional", help: "The users" },
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
  },
  needs: "secret",
  confirm: ({ users, channel }) => ({
    level: "mild",
    question: `Take the rights of moderators of ${channel} from ${users.join(", ")}?`,
  }),
  run: (call) =>
    inParts(call, call.args.channel, userIds(call.args.users), MEMBERS_PER_CALL, (part) => ({
      demote_moderators: part,
    })),
});
