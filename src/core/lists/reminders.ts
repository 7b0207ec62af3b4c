/** Own reminders: offered times, pages of ten, the state of each, and the notice when one is due (R-REM, RE-9). */
import { DEFAULT_PAGE, REMINDER_OFFSETS } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { Reminder } from "../../wire/entities/reminder.ts";
import { compareTimes } from "../../wire/time.ts";
import { cleanName } from "../../text/sanitize.ts";
import type { ApiCall } from "../http/caller.ts";
import { reminderKind, type ReminderKind } from "../../model/reminders.ts";
import type { Notice } from "../../model/state.ts";
import { createPagedList, type OnePage, type PageAt, type PagedList } from "./paged.ts";

const REMINDER_DUE = "A reminder is due";

/** Terminal cells of the message that a notice shows. */
const SHOWN_CELLS = 80;
export interface ReminderList extends PagedList<Reminder> {
  /** RE-9, milliseconds from now, ascending. */
  readonly offsets: readonly number[];
  /** What is asked for; a change loads the first page anew. */
  show(filter: Filter): Promise<void>;
  /** One page by another filter than the list's, held nowhere. */
  page(at: PageAt & { filter?: Filter }): Promise<OnePage<Reminder>>;
  /** At a time, or in so many milliseconds from now; without either it is a bookmark, as with null. */
  create(messageId: string, when?: number | string | null): Promise<Reminder>;
  update(messageId: string, when: number | string | null): Promise<Reminder>;
  remove(messageId: string): Promise<void>;
  /** Of a reminder at this moment, by the provider's clock. */
  kind(reminder: Reminder): ReminderKind;
  /** Events that were dispatched. */
  onEvent(event: AnyEvent): void;
  /** The link opened: a list that was loaded is loaded anew, what it missed is told to nobody. */
  onConnected(): void;
  /** The user is gone. */
  reset(): void;
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

const without = (items: readonly Reminder[], messageId: string): readonly Reminder[] =>
  items.some(({ message_id }) => message_id === messageId)
    ? items.filter(({ message_id }) => message_id !== messageId)
    : items;

/** A newer version stands in the place of the held one; what it does not tell, such as the message, stays. */
function withReminder(items: readonly Reminder[], reminder: Reminder): readonly Reminder[] {
  const held = items.find(({ message_id }) => message_id === reminder.message_id);
  if (held && compareTimes(reminder.updated_at, held.updated_at) < 0) return items;
  const rest = items.filter((each) => each !== held);
  return [...rest, { ...held, ...reminder }].toSorted(order);
}

/** One change of the list; `ifHeld`: only where an earlier version stands. */
type ListChange = { drop: string } | { put: Reminder; ifHeld?: boolean };

/** The list after these; a page that is not the `first` has no place for what it does not hold. */
function changed(
  before: readonly Reminder[],
  changes: readonly ListChange[],
  first: boolean,
): readonly Reminder[] {
  let items = before;
  for (const change of changes) {
    if ("drop" in change) items = without(items, change.drop);
    else if ((first && !change.ifHeld) || items.some((each) => each.message_id === change.put.message_id))
      items = withReminder(items, change.put);
  }
  return items;
}

/** R-REM-2: the reminder stays, overdue, until it is changed or deleted. */
function dueNotice(
  messageId: string,
  reminder: Reminder | undefined,
): Parameters<RemindersDeps["notify"]>[0] {
  const words = cleanName(reminder?.message?.text ?? "", SHOWN_CELLS);
  return {
    level: "info",
    text: REMINDER_DUE,
    origin: `reminder ${messageId}`,
    ...(words !== "" && { reason: words }),
  };
}

/** Asks for one page; without a filter of its own that of the list counts. */
function pageReader(
  call: RemindersDeps["call"],
  filterOfList: () => Filter,
): (at: PageAt & { filter?: Filter }, how?: { retries: number }) => Promise<OnePage<Reminder>> {
  return async ({ limit = DEFAULT_PAGE, next, ...asked }, how) => {
    const shared = filterOfList();
    const where = asked.filter ?? (Object.keys(shared).length > 0 ? shared : undefined);
    const body = { ...(where && { filter: where }), limit, ...(next !== undefined && { next }) };
    const { reminders = [], next: after } = await call("queryReminders", { body, ...how });
    return { items: reminders, next: after };
  };
}

export function createReminders({ call, now, notify }: RemindersDeps): ReminderList {
  let filter: Filter = {};
  const page = pageReader(call, () => filter);
  /** What was told while a page was asked for: its answer may not know of it. */
  let meanwhile: ListChange[] | undefined;
  const pages = createPagedList<Reminder>(
    async (at, how) => {
      const since: ListChange[] = [];
      meanwhile = since;
      try {
        const answer = await page(at, how);
        return { ...answer, items: changed(answer.items, since, at.next === undefined) };
      } finally {
        if (meanwhile === since) meanwhile = undefined;
      }
    },
    ({ message_id }) => message_id,
  );
  const timeOf = (when: number | string | null): string | null =>
    typeof when === "number" ? new Date(now() + when).toISOString() : when;
  const change = (what: ListChange): void => {
    meanwhile?.push(what);
    if (pages.state().loaded) pages.change((items) => changed(items, [what], true));
  };
  const answered = ({ reminder }: { reminder: Reminder }): Reminder => {
    change({ put: reminder });
    return reminder;
  };

  return {
    ...pages,
    page,
    offsets: REMINDER_OFFSETS,
    show(next) {
      filter = next;
      return pages.load();
    },
    async create(id, when) {
      const body = when === undefined ? {} : { remind_at: timeOf(when) };
      return answered(await call("createReminder", { path: { id }, body }));
    },
    async update(id, when) {
      return answered(await call("updateReminder", { path: { id }, body: { remind_at: timeOf(when) } }));
    },
    async remove(messageId) {
      await call("deleteReminder", { path: { id: messageId } });
      change({ drop: messageId });
    },
    kind: (reminder) => reminderKind(reminder, now()),
    onEvent(event) {
      const reminder = event.reminder as Reminder | undefined;
      const messageId = (event.message_id as string | undefined) ?? reminder?.message_id;
      if (messageId === undefined) return;
      if (event.type === "reminder.deleted") return change({ drop: messageId });
      if (event.type === "notification.reminder_due") notify(dueNotice(messageId, reminder));
      else if (event.type !== "reminder.created" && event.type !== "reminder.updated") return;
      // With a filter nobody here can judge, only what is held is changed.
      if (reminder) change({ put: reminder, ...(Object.keys(filter).length > 0 && { ifHeld: true }) });
    },
    onConnected() {
      // Why it did not come stands in the list.
      if (pages.state().loaded) pages.load().catch(() => {});
    },
    reset() {
      filter = {};
      pages.reset();
    },
  };
}
