/** Removes the title or custom fields of a thread (TH-1, TH-2). */
import { reservedThreadProblem } from "../../wire/entities/thread.ts";
import { CommandError, command } from "../base/define-command.ts";
import { findThread } from "./find-thread.ts";

export default command({
  summary: "Remove the title or custom fields of a thread",
  changes: "provider",
  examples: ["thread unset ana-7f3c title mood details.cups", "thread unset ana-7f3c title"],
  args: {
    message: { kind: "message", positional: true, help: "A message of the thread" },
    fields: {
      kind: "list",
      value: "name",
      positional: true,
      help: "title, or the names of custom fields",
    },
  },
  async run(call) {
    const { fields, message } = call.args;
    const fault = reservedThreadProblem(fields);
    if (fault !== undefined) throw new CommandError("rejected", fault);
    const { parentId } = await findThread(call, message);
    return call.core.threads.update(parentId, { unset: fields });
  },
});
