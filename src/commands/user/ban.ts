/** Bans a user from the whole app. */
import { BAN_DELETIONS, type BanDeletion } from "../../wire/moderation.ts";
import { CommandError, command } from "../base/define-command.ts";
import { minutesUntil } from "../member/banning.ts";

export default command({
  summary: "Ban a user from the whole app",
  examples: ["user ban bo --until 7d --reason spam --by mira", "user ban bo --shadow --by mira"],
  args: {
    user: { kind: "user", place: "positional", help: "The user" },
    until: { kind: "time", direction: "future", measured: true, help: "When the ban ends" },
    reason: { kind: "text", value: "text", help: "Why" },
    shadow: { kind: "flag", help: "They are not told, and nobody else sees what they write" },
    delete: { kind: "choice", choices: BAN_DELETIONS, help: "Delete all their messages too" },
    by: { kind: "user", acts: true, help: "Who bans (default: you)" },
  },
  needs: "secret",
  confirm: ({ user, delete: how }) =>
    how === undefined
      ? { level: "moderate", question: `Ban ${user} from the whole app?` }
      : {
          level: "severe",
          question: `Ban ${user} from the whole app and delete every message of theirs?`,
          word: user,
        },
  async run({ args, core }) {
    if (args.by === undefined) throw new CommandError("usage", "Who bans?", "Add --by <user>.");
    if (args.by === args.user) throw new CommandError("usage", "Nobody bans themselves.");
    await core.call("ban", {
      body: {
        target_user_id: args.user,
        banned_by_id: args.by,
        ...minutesUntil(args.until),
        ...(args.reason === undefined ? {} : { reason: args.reason }),
        ...(args.shadow ? { shadow: true } : {}),
        ...(args.delete === undefined ? {} : { delete_messages: args.delete as BanDeletion }),
      },
    });
    return {
      user: args.user,
      banned: !args.shadow,
      shadow_banned: args.shadow === true,
      ...(args.until === undefined ? {} : { until: args.until.at }),
    };
  },
});
