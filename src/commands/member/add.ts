/** Adds members to a channel, a hundred a call. */
import { MEMBERS_PER_CALL } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";
import { userIds } from "./remove.ts";

export default command({
  summary: "Add members to a channel",
  examples: ["member add ana bo -c messaging:ops", "member add ana -c messaging:ops --history-since 7d"],
  args: {
    users: { kind: "list", place: "positional", help: "The users" },
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
    role: { kind: "text", value: "role", help: "Their role in the channel" },
    hideHistory: { kind: "flag", help: "They do not see what was written before" },
    historySince: { kind: "time", help: "They see only what was written since then" },
    say: { kind: "text", help: "A system message that says so" },
  },
  async run(call) {
    const { args, core } = call;
    const users = userIds(args.users);
    const path = pathOf(await cidOf(call, args.channel));
    let channel: object = {};
    for (let i = 0; i < users.length; i += MEMBERS_PER_CALL) {
      const part = users.slice(i, i + MEMBERS_PER_CALL);
      const reply = await core.call("updateChannel", {
        path,
        body: {
          add_members: args.role ? part.map((user_id) => ({ user_id, channel_role: args.role! })) : part,
          ...(args.hideHistory ? { hide_history: true } : {}),
          ...(args.historySince === undefined ? {} : { hide_history_before: args.historySince }),
          ...(args.say !== undefined && i === 0 ? { message: { text: args.say } } : {}),
        },
      });
      channel = reply.channel;
      call.progress(i + part.length, users.length, "members");
    }
    return channel;
  },
});
