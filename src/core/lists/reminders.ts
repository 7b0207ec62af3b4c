/** Own reminders: offsets that are offered, pages of ten, what each is at the moment, and the notice when one is due (R-REM, RE-9). */
import { DEFAULT_PAGE, REMINDER_OFFSETS } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Filter } from "../../wire/query.ts";
import type { Reminder } from "../../wire/reminder.ts";
import { compareTimes, timeToMs } from "../../wire/time.ts";
import { cleanName } from "../../text/sanitize.ts";
import type { ApiCall } from "../http/caller.ts";
import type { Notice } from "../../model/state.ts";
import { createPages } from "./paged.ts";
import type { PagedList } from "./paged.ts";

const REMINDER_DUE = "A reminder is due";

/** R-REM-1: without a time, with one to come, with one that has passed. */
type ReminderKind = "bookmark" | "upcoming" | "overdue";

/** `now` is provider time in milliseconds; a reminder is overdue from its very moment on. */
export function reminderKind(reminder: Pick<Reminder, "remind_at">, now: number): ReminderKind {
  if (!reminder.remind_at) return "bookmark";
  return timeToMs(reminder.remind_at) > now ? "upcoming" : "overdue";
}

/** Terminal cells of the message that a notice shows. */
const SHOWN_CELLS = 80;
export interface ReminderList extends PagedList<Reminder> {
  /** RE-9, milliseconds from now, ascending. */
  readonly offsets: readonly number[];
  /** What is asked for; a change loads the first page anew. */
  show(filter: Filter): Promise<void>;
  /** With an offset "remind me later", without a bookmark. */
  create(messageId: string, offset?: number): Promise<Reminder>;
  /** A new time counted from now, or a bookmark (null). */
  update(messageId: string, offset: number | null): Promise<Reminder>;
  remove(messageId: string): Promise<void>;
  /** Of a reminder at this moment, by the provider's clock. */
  kind(reminder: Reminder): ReminderKind;
  /** Events that were dispatched. */
  heard(event: AnyEvent): void;
  /** The user is gone. */
  forget(): void;
}

export interface RemindersDeps {
  call: ApiCall;
  /** Provider time, milliseconds. */
  now(): number;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

/** By due time, bookmarks last, then by message (RE-4). */
function order(a: Reminder, b: Reminder): number {
  if (!a.remind_at !== !b.remind_at) return a.remind_at ? -1 : 1;
  return compareTimes(a.remind_at, b.remind_at) || (a.message_id < b.message_id ? -1 : 1);
}

export function createReminders({ call, now, notify }: RemindersDeps): ReminderList {
  let filter: Filter = {};
  const pages = createPages<Reminder>(
    async (next) => {
      const body = {
        limit: DEFAULT_PAGE,
        ...(Object.keys(filter).length > 0 && { filter }),
        ...(next !== undefined && { next }),
      };
      const { reminders = [], next: after } = await call("queryReminders", { body, retries: 1 });
      return { items: reminders, next: after };
    },
    ({ message_id }) => message_id,
  );
  const timeAfter = (offset: number): string => new Date(now() + offset).toISOString();
  const put = (reminder: Reminder): void =>
    pages.change((items) => {
      const held = items.find(({ message_id }) => message_id === reminder.message_id);
      if (held && compareTimes(reminder.updated_at, held.updated_at) < 0) return items;
      const rest = items.filter((each) => each !== held);
      // The message is not told with every change.
      return [...rest, { ...held, ...reminder }].toSorted(order);
    });
  const drop = (messageId: string): void =>
    pages.change((items) => {
      const rest = items.filter(({ message_id }) => message_id !== messageId);
      return rest.length === items.length ? items : rest;
    });

  return {
    ...pages,
    offsets: REMINDER_OFFSETS,
    show(next) {
      filter = next;
      return pages.load();
    },
    async create(messageId, offset) {
      const { reminder } = await call("createReminder", {
        path: { id: messageId },
        body: offset === undefined ? {} : { remind_at: timeAfter(offset) },
      });
      if (pages.state().loaded) put(reminder);
      return reminder;
    },
    async update(messageId, offset) {
      const { reminder } = await call("updateReminder", {
        path: { id: messageId },
        body: { remind_at: offset === null ? null : timeAfter(offset) },
      });
      if (pages.state().loaded) put(reminder);
      return reminder;
    },
    async remove(messageId) {
      await call("deleteReminder", { path: { id: messageId } });
      drop(messageId);
    },
    kind: (reminder) => reminderKind(reminder, now()),
    heard(event) {
      const reminder = event.reminder as Reminder | undefined;
      const messageId = (event.message_id as string | undefined) ?? reminder?.message_id;
      if (messageId === undefined) return;
      if (event.type === "reminder.deleted") return drop(messageId);
      if (event.type === "notification.reminder_due") {
        // R-REM-2: it stays, overdue, until it is changed or deleted.
        const words = cleanName(reminder?.message?.text ?? "", SHOWN_CELLS);
        notify({
          level: "info",
          text: REMINDER_DUE,
          origin: `reminder ${messageId}`,
          ...(words !== "" && { reason: words }),
        });
      } else if (event.type !== "reminder.created" && event.type !== "reminder.updated") return;
      // With a filter nobody here can judge, only what is held is changed.
      const held = pages.state().items.some(({ message_id }) => message_id === messageId);
      if (reminder && pages.state().loaded && (held || Object.keys(filter).length === 0)) put(reminder);
    },
    forget() {
      filter = {};
      pages.forget();
    },
  };
}
