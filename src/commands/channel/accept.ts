/** Accepts an invite to a channel. */
import { command } from "../base/define-command.ts";
import { ANSWER_ARGS, answerInvite } from "./answer-invite.ts";

export default command({
  summary: "Accept an invite",
  changes: "provider",
  chatAlias: "accept",
  examples: ["channel accept messaging:ops", 'channel accept messaging:ops --say "on my way"'],
  args: ANSWER_ARGS,
  run: (call) => answerInvite(call, { accept_invite: true }),
});
