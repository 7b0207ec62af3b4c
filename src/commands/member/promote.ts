/** Makes members moderators of a channel. */
import { MEMBERS_PER_CALL } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { inParts } from "./in-parts.ts";
import { userIds } from "./remove.ts";

export default command({
  summary: "Make members moderators of a channel",
  examples: ["member promote ana -c messaging:ops"],
  args: {
    users: { kind: "list", place: "positional", help: "The users" },
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
  },
  needs: "secret",
  confirm: ({ users, channel }) => ({
    level: "mild",
    question: `Give ${users.join(", ")} the rights of moderators of ${channel}?`,
  }),
  run: (call) =>
    inParts(call, call.args.channel, userIds(call.args.users), MEMBERS_PER_CALL, (part) => ({
      add_moderators: part,
    })),
});
