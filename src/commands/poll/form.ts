/** Checks the poll form of a command by the rules of the specification (R-POLL-1…8, R-POLL-13, R-POLL-14). */
import { firstPollError, type PollForm } from "../../model/poll-form.ts";
import { CommandError } from "../base/define-command.ts";

/** Throws `CommandError` (rejected) with the first error. */
export function checkedPoll(form: PollForm): PollForm {
  const problem = firstPollError(form);
  if (problem !== undefined) throw new CommandError("rejected", problem);
  return form;
}
