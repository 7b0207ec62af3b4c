/** Checks the poll form of a command by the rules of the specification (R-POLL-1…8). */
import { pollFieldError, type PollForm } from "../../model/poll-form.ts";
import { CommandError } from "../base/define-command.ts";

/** Throws `CommandError` (rejected) with the message of the first invalid field. */
export function checkedPoll(form: PollForm): PollForm {
  const problem = pollFieldError(form);
  if (problem !== undefined) throw new CommandError("rejected", problem);
  return form;
}
