/** Reports a user to the moderators, or withdraws the report. */
import { CommandError, command } from "../base/define-command.ts";

export default command({
  summary: "Report a user to the moderators",
  changes: "provider",
  examples: ["user flag bo --reason spam", "user flag bo --undo"],
  args: {
    user: { kind: "user", positional: true, help: "The user" },
    reason: { kind: "text", value: "text", help: "The reason" },
    undo: { kind: "flag", help: "Withdraw your report" },
  },
  async run({ args, core }) {
    if (args.undo && args.reason !== undefined)
      throw new CommandError("usage", "--reason and --undo cannot be combined.");
    const body = {
      target_user_id: args.user,
      ...(args.reason === undefined ? {} : { reason: args.reason }),
    };
    return (await core.call(args.undo ? "unflag" : "flag", { body })).flag;
  },
});
