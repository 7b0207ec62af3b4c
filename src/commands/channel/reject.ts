/** Rejects an invite to a channel. */
import { command } from "../base/define-command.ts";
import { ANSWER_ARGS, answerInvite } from "./answer-invite.ts";

export default command({
  summary: "Reject an invite",
  changes: "provider",
  chatAlias: "reject",
  examples: ["channel reject messaging:ops", 'channel reject messaging:ops --say "no time today"'],
  args: ANSWER_ARGS,
  run: (call) => answerInvite(call, { reject_invite: true }),
});
