/** Records the result of reviewing a report. */
import { command, CommandError } from "../base/define-command.ts";

export default command({
  summary: "Review a flag report",
  changes: "provider",
  examples: [
    "moderation review 0b6c41d0 approved --by mira --note 'within the rules'",
    'parley moderation review "$(parley moderation queue --limit 1 --jq .id)" rejected --by mira',
  ],
  args: {
    report: { kind: "text", value: "report", positional: true, help: "The report's id" },
    result: {
      kind: "text",
      value: "result",
      positional: true,
      help: "approved, rejected, or a word of your own",
    },
    by: { kind: "user", actingUser: true, help: "Who reviewed it (default: you)" },
    note: { kind: "text", value: "text", help: "A note for the record" },
  },
  needs: "secret",
  async run({ args, core }) {
    const user_id = args.by;
    if (user_id === undefined)
      throw new CommandError("usage", "No user is named as the reviewer.", "Add --by <user>.");
    const { flag_report } = await core.call("reviewFlagReport", {
      path: { id: args.report },
      body: {
        review_result: args.result,
        user_id,
        review_details: args.note === undefined ? {} : { note: args.note },
      },
    });
    return flag_report;
  },
});
