/** Sets or moves the user's reminder of a message, or those of a file; without a time it is a bookmark. */
import type { Core } from "../../core/core.ts";
import { CommandError, command, fieldsView, type Args, type ArgValues } from "../base/define-command.ts";
import { SET_FILE_ARGS, setOneOrFile } from "../base/bulk/set-from-file.ts";
import { settableReminders, type MaybeReminder } from "./settable-reminders.ts";

const ARGS = {
  message: { kind: "message", positional: true, orFile: true, help: "The message" },
  in: { kind: "time", direction: "future", value: "duration", help: "After this long, for example 2h" },
  at: { kind: "time", direction: "future", help: "At this time" },
  ...SET_FILE_ARGS,
} as const satisfies Args;

function timeOf({ in: after, at }: ArgValues<typeof ARGS>): string | undefined {
  if (after !== undefined && at !== undefined)
    throw new CommandError("usage", "--in and --at cannot be combined.");
  return after ?? at;
}

async function changeOne(core: Core, id: string, at: string | null): Promise<MaybeReminder> {
  const { message } = await core.call("getMessage", { path: { id } });
  return message.reminder ? core.reminders.update(id, at) : core.reminders.create(id, at);
}

export default command({
  summary: "Set a reminder for a message, or bookmark it",
  changes: "provider",
  chatAlias: "remind",
  examples: [
    "reminder set ana-7f3c --in 2h",
    "reminder set ana-7f3c --at 2026-12-01T09:00Z",
    "reminder set ana-7f3c",
    "parley reminder list --overdue --ndjson | parley reminder set --file - --in 1d",
  ],
  args: ARGS,
  run(call) {
    const { args, core } = call;
    const remind_at = timeOf(args);
    const asked = remind_at === undefined ? {} : { set: { remind_at: new Date(remind_at).toISOString() } };
    const one = (id: string): Promise<MaybeReminder> => changeOne(core, id, remind_at ?? null);
    return setOneOrFile(call, {
      name: args.message,
      one,
      asked,
      of: () => settableReminders(core, call.now()),
    });
  },
  show: (reminder) =>
    fieldsView({
      message: reminder.message_id,
      at: reminder.remind_at ?? "bookmarked",
    }),
});
