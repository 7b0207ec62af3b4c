/** Sets or moves the user's reminder of a message; without a time it is a bookmark. */
import type { Reminder } from "../../wire/entities/reminder.ts";
import { CommandError, command, fieldsView } from "../base/define-command.ts";

export default command({
  summary: "Set a reminder for a message, or bookmark it",
  changes: "provider",
  chatAlias: "remind",
  examples: [
    "reminder set ana-7f3c --in 2h",
    "reminder set ana-7f3c --at 2026-12-01T09:00Z",
    "reminder set ana-7f3c",
  ],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    in: { kind: "time", direction: "future", value: "duration", help: "After this long, for example 2h" },
    at: { kind: "time", direction: "future", help: "At this time" },
  },
  async run(call): Promise<Reminder> {
    const { message: id, in: after, at } = call.args;
    if (after !== undefined && at !== undefined)
      throw new CommandError("usage", "--in and --at cannot be combined.");
    const remind_at = after ?? at ?? null;
    const { reminders } = call.core;
    const { message } = await call.core.call("getMessage", { path: { id } });
    return message.reminder ? reminders.update(id, remind_at) : reminders.create(id, remind_at);
  },
  show: (reminder) =>
    fieldsView({
      message: reminder.message_id,
      at: reminder.remind_at ?? "bookmarked",
    }),
});
