/** Sets the title and custom fields of a thread (TH-1); reserved fields are refused before any request (TH-2). */
import { reservedThreadProblem } from "../../wire/entities/thread.ts";
import { CommandError, command } from "../base/define-command.ts";
import { PAIRS, readPairs } from "../base/custom-fields.ts";
import { findThread } from "./find-thread.ts";

export default command({
  summary: "Set the title or custom fields of a thread",
  changes: "provider",
  examples: ["thread set ana-7f3c --title 'Tea time'", "thread set ana-7f3c mood=calm details.cups=2"],
  args: {
    message: { kind: "message", positional: true, help: "A message of the thread" },
    fields: { ...PAIRS, optional: true, help: "Custom fields as name=value; a dot reaches into one" },
    title: { kind: "text", help: "The title" },
  },
  async run(call) {
    const { title, fields, message } = call.args;
    const set = {
      ...readPairs(fields, "A field"),
      ...(title === undefined ? {} : { title }),
    };
    const names = Object.keys(set);
    if (names.length === 0)
      throw new CommandError("usage", "Nothing to update", "Give --title or name=value.");
    const fault = reservedThreadProblem(names);
    if (fault !== undefined) throw new CommandError("rejected", fault);
    const { parentId } = await findThread(call, message);
    return call.core.threads.update(parentId, { set });
  },
});
