/** Adds members to a channel, a hundred per request. */
import { command } from "../base/define-command.ts";
import { changeMembersInParts, MEMBERS_ARGS } from "./change-members.ts";

export default command({
  summary: "Add members to a channel",
  changes: "provider",
  chatAlias: "invite",
  examples: [
    "member add ana bo -c messaging:ops",
    "member add ana -c messaging:ops --history-since 7d",
    "member add --file people.csv -c messaging:ops --report added.ndjson",
  ],
  args: {
    ...MEMBERS_ARGS,
    role: { kind: "text", value: "role", help: "Their role in the channel" },
    hideHistory: { kind: "flag", help: "Hide earlier messages from them" },
    historySince: { kind: "time", help: "Show them only messages since this time" },
    say: { kind: "text", help: "Post this as a system message about it" },
  },
  run(call) {
    const { role, hideHistory, historySince, say, channel } = call.args;
    const bodyOf = (part: string[]) => ({
      add_members: role ? part.map((user_id) => ({ user_id, channel_role: role })) : part,
      ...(hideHistory ? { hide_history: true } : {}),
      ...(historySince === undefined ? {} : { hide_history_before: historySince }),
    });
    return changeMembersInParts(call, channel, "added", bodyOf, {
      say,
      isDone: (member) => member !== undefined,
    });
  },
});
