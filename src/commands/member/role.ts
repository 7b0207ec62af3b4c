/** Gives members a role in a channel. */
import { MEMBERS_PER_CALL } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { inParts } from "./in-parts.ts";
import { userIds } from "./remove.ts";

export default command({
  summary: "Give members a role in a channel",
  examples: ["member role channel_moderator ana bo -c messaging:ops"],
  args: {
    role: { kind: "text", value: "role", place: "positional", help: "The role" },
    users: { kind: "list", place: "positional", help: "The users" },
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
  },
  needs: "secret",
  confirm: ({ role, users, channel }) => ({
    level: "mild",
    question: `Give ${users.join(", ")} the role ${role} in ${channel}?`,
  }),
  run: (call) =>
    inParts(call, call.args.channel, userIds(call.args.users), MEMBERS_PER_CALL, (part) => ({
      assign_roles: part.map((user_id) => ({ user_id, channel_role: call.args.role })),
    })),
});
