/** Removes the user's reminder of a message. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Remove a reminder or bookmark",
  changes: "provider",
  examples: ["reminder remove ana-7f3c", "reminder remove ana-7f3c --yes"],
  aliases: ["rm"],
  args: { message: { kind: "message", positional: true, help: "The message" } },
  async run(call) {
    const { message: id } = call.args;
    await call.core.reminders.remove(id);
    return { message: id, removed: true };
  },
});
