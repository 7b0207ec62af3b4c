/** The poll form with what a command was given, judged by the sentences of the specification (R-POLL-1…8). */
import { pollFieldError, type PollForm } from "../../model/poll-form.ts";
import { CommandError } from "../base/define-command.ts";

/** Throws `CommandError` (rejected) with the sentence of the first field that is wrong. */
export function checkedPoll(form: PollForm): PollForm {
  const wrong = pollFieldError(form);
  if (wrong !== undefined) throw new CommandError("rejected", wrong);
  return form;
}
