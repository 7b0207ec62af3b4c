/** Lists reminders: due, upcoming, and without a time. */
import { reminderKind, shownLeft, type ReminderKind } from "../../../model/reminders.ts";
import { duration } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import type { Reminder } from "../../../wire/entities/reminder.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Snapshot } from "../../screen/store.ts";
import { placeOf } from "../messages/jump.ts";
import { messageLine, placeTitle, type ListEntry } from "./entry.ts";

const GROUPS: readonly ReminderKind[] = ["overdue", "upcoming", "bookmark"];

function entryOf(
  reminder: Reminder,
  kind: ReminderKind,
  { state, now }: Pick<Snapshot, "state" | "now">,
): ListEntry {
  const { message, message_id, remind_at } = reminder;
  const place = placeOf({ ...message, cid: reminder.channel_cid });
  const at = kind === "overdue" ? remind_at : kind === "bookmark" ? reminder.created_at : undefined;
  return {
    key: message_id,
    group: words.later[kind],
    title: placeTitle(state, place),
    ...(at && { at: timeToMs(at) }),
    newCount: kind === "overdue" ? 1 : 0,
    note:
      kind === "overdue"
        ? words.later.due
        : kind === "upcoming"
          ? words.later.in(duration(shownLeft(remind_at!, now)))
          : "",
    lines: message ? [messageLine(message, state.me?.id)] : [],
    place,
    messageId: message_id,
  };
}

/** In core's order: the longest due first, bookmarks last. */
export function laterEntries(input: Pick<Snapshot, "state" | "lists" | "now">): ListEntry[] {
  const byKind = Map.groupBy(input.lists.reminders.items, (reminder) => reminderKind(reminder, input.now));
  return GROUPS.flatMap((kind) => (byKind.get(kind) ?? []).map((reminder) => entryOf(reminder, kind, input)));
}

export const dueCount = ({ lists, now }: Pick<Snapshot, "lists" | "now">): number =>
  lists.reminders.items.filter((reminder) => reminderKind(reminder, now) === "overdue").length;
