/** Removes the user's reminder of a message. */
import { changeMessages, MESSAGE_OR_FILE } from "../base/bulk/names.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Remove a reminder or bookmark",
  changes: "provider",
  examples: [
    "reminder remove ana-7f3c",
    "parley reminder list --overdue --ndjson | parley reminder remove --file -",
  ],
  aliases: ["rm"],
  args: MESSAGE_OR_FILE,
  run: (call) =>
    changeMessages(call, {
      async send(id) {
        await call.core.reminders.remove(id);
        return { message: id, removed: true };
      },
      result: "removed",
    }),
});
