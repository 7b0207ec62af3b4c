/** Later: reminders that are due, upcoming, and without a time. */
import { reminderKind, shownLeft, type ReminderKind } from "../../../model/reminders.ts";
import { duration } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import type { Reminder } from "../../../wire/entities/reminder.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Ports } from "../../ports/ports.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import { placeOf } from "../messages/jump.ts";
import { messageLine, placeTitle, type ListEntry } from "./entry.ts";
import { openEntryMessage } from "./open-entry.ts";
import { userList, type EntryInput } from "./user-list.ts";

const GROUPS: readonly ReminderKind[] = ["overdue", "upcoming", "bookmark"];

function entryOf(
  reminder: Reminder,
  kind: ReminderKind,
  { state, now }: Pick<EntryInput, "state" | "now">,
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
function entries(input: Pick<EntryInput, "state" | "lists" | "now">): ListEntry[] {
  const byKind = Map.groupBy(input.lists.reminders.items, (reminder) => reminderKind(reminder, input.now));
  return GROUPS.flatMap((kind) => (byKind.get(kind) ?? []).map((reminder) => entryOf(reminder, kind, input)));
}

/** Removes a reminder. Undone, an overdue one has no time: the provider accepts none in the past (RE-2). */
function remove(ports: Ports, { messageId }: ListEntry): void {
  const { core, store, clock } = ports;
  const reminder = store.get().lists.reminders.items.find(({ message_id }) => message_id === messageId);
  if (!reminder) return;
  const { remind_at } = reminder;
  const undo = (): Promise<unknown> => {
    const when = reminderKind(reminder, clock.now()) === "upcoming" ? remind_at : null;
    return core.reminders.create(reminder.message_id, when);
  };
  const notice = { done: words.later.removed, what: words.later.change };
  runAndOfferTakeBack(ports, core.reminders.remove(reminder.message_id), notice, undo);
}

export const later = userList({
  name: "later",
  show: {
    title: "Later: reminders and what you saved",
    keywords: "reminders bookmarks saved",
    former: "later",
  },
  entries,
  count: ({ lists, now }) =>
    lists.reminders.items.filter((reminder) => reminderKind(reminder, now) === "overdue").length,
  source: { state: (lists) => lists.reminders, of: (core) => core.reminders },
  open: openEntryMessage,
  clear: { hint: "remove", run: remove },
  hints: [{ action: "remind", hint: "move" }],
  acrossChannels: true,
});
