/** Reminders of the current user: offered times, pages, the kind of each, and the notice when one is due (R-REM, RE-9). */
import { DEFAULT_PAGE, REMINDER_OFFSETS } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { Reminder } from "../../wire/entities/reminder.ts";
import { compareTimes } from "../../wire/time.ts";
import { cleanName } from "../../text/sanitize.ts";
import type { ApiCall } from "../base/api-types.ts";
import { reminderKind, type ReminderKind } from "../../model/reminders.ts";
import type { Notice } from "../../model/state.ts";
import { createPagedList, type OnePage, type PageAt, type PagedList } from "./paged-list.ts";

const REMINDER_DUE = "A reminder is due";

/** Terminal cells of the message text in a notice. */
const SHOWN_CELLS = 80;
export interface ReminderList extends PagedList<Reminder> {
  /** RE-9, milliseconds from now, ascending. */
  readonly offsets: readonly number[];
  show(filter: Filter): Promise<void>;
  /** Fetches one page, optionally with another filter, without adding it to the list. */
  page(at: PageAt & { filter?: Filter }): Promise<OnePage<Reminder>>;
  /** `when`: a time, or milliseconds from now; absent or null = a bookmark. */
  create(messageId: string, when?: number | string | null): Promise<Reminder>;
  update(messageId: string, when: number | string | null): Promise<Reminder>;
  remove(messageId: string): Promise<void>;
  kind(reminder: Reminder): ReminderKind;
  onEvent(event: AnyEvent): void;
  /** Reloads a loaded list: missed changes have no events. */
  onConnected(): void;
  reset(): void;
}

export interface RemindersDeps {
  call: ApiCall;
  /** Provider time, milliseconds. */
  now(): number;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

/** By due time, bookmarks last, then by message (RE-4). */
function byDueTime(a: Reminder, b: Reminder): number {
  if (!a.remind_at !== !b.remind_at) return a.remind_at ? -1 : 1;
  return compareTimes(a.remind_at, b.remind_at) || (a.message_id < b.message_id ? -1 : 1);
}

const withoutReminder = (items: readonly Reminder[], messageId: string): readonly Reminder[] =>
  items.some(({ message_id }) => message_id === messageId)
    ? items.filter(({ message_id }) => message_id !== messageId)
    : items;

/** Merges a newer version into the loaded one; fields it lacks, such as the message, stay. */
function withReminder(items: readonly Reminder[], reminder: Reminder): readonly Reminder[] {
  const held = items.find(({ message_id }) => message_id === reminder.message_id);
  if (held && compareTimes(reminder.updated_at, held.updated_at) < 0) return items;
  const rest = items.filter((each) => each !== held);
  return [...rest, { ...held, ...reminder }].toSorted(byDueTime);
}

/** A change of the list; `onlyIfLoaded`: only if the reminder is in the list. */
type ListChange = { drop: string } | { put: Reminder; onlyIfLoaded?: boolean };

/** Applies changes to a page; new reminders are only added to the `first` page. */
function applyChanges(
  before: readonly Reminder[],
  changes: readonly ListChange[],
  first: boolean,
): readonly Reminder[] {
  let items = before;
  for (const change of changes) {
    if ("drop" in change) items = withoutReminder(items, change.drop);
    else if (
      (first && !change.onlyIfLoaded) ||
      items.some((each) => each.message_id === change.put.message_id)
    )
      items = withReminder(items, change.put);
  }
  return items;
}

/** R-REM-2: the notice of a due reminder, which stays in the list until it is changed or deleted. */
function dueNotice(
  messageId: string,
  reminder: Reminder | undefined,
): Parameters<RemindersDeps["notify"]>[0] {
  const text = cleanName(reminder?.message?.text ?? "", SHOWN_CELLS);
  return {
    level: "info",
    text: REMINDER_DUE,
    origin: `reminder ${messageId}`,
    ...(text !== "" && { reason: text }),
  };
}

/** Fetches one page, by default with the filter of the list. */
function pageReader(
  call: RemindersDeps["call"],
  filterOfList: () => Filter,
): (at: PageAt & { filter?: Filter }, options?: { retries: number }) => Promise<OnePage<Reminder>> {
  return async ({ limit = DEFAULT_PAGE, next, filter: own, ...page }, options) => {
    const shared = filterOfList();
    const where = own ?? (Object.keys(shared).length > 0 ? shared : undefined);
    const body = { ...(where && { filter: where }), limit, ...(next !== undefined && { next }) };
    const { reminders = [], next: after } = await call("queryReminders", { body, ...page, ...options });
    return { items: reminders, next: after };
  };
}

export function createReminders({ call, now, notify }: RemindersDeps): ReminderList {
  let filter: Filter = {};
  const page = pageReader(call, () => filter);
  /** Changes since the running request began: its answer may not include them. */
  let changesSinceRequest: ListChange[] | undefined;
  const pages = createPagedList<Reminder>(
    async (at, options) => {
      const since: ListChange[] = [];
      changesSinceRequest = since;
      try {
        const answer = await page(at, options);
        return { ...answer, items: applyChanges(answer.items, since, at.next === undefined) };
      } finally {
        if (changesSinceRequest === since) changesSinceRequest = undefined;
      }
    },
    ({ message_id }) => message_id,
    DEFAULT_PAGE,
  );
  const timeOf = (when: number | string | null): string | null =>
    typeof when === "number" ? new Date(now() + when).toISOString() : when;
  const change = (listChange: ListChange): void => {
    changesSinceRequest?.push(listChange);
    if (pages.state().loaded) pages.change((items) => applyChanges(items, [listChange], true));
  };
  const applyAnswer = ({ reminder }: { reminder: Reminder }): Reminder => {
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
      return applyAnswer(await call("createReminder", { path: { id }, body }));
    },
    async update(id, when) {
      return applyAnswer(await call("updateReminder", { path: { id }, body: { remind_at: timeOf(when) } }));
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
      // With a filter it is unknown whether a new reminder belongs to the list: only loaded ones are changed.
      if (reminder) change({ put: reminder, ...(Object.keys(filter).length > 0 && { onlyIfLoaded: true }) });
    },
    onConnected() {
      // The list shows the error.
      if (pages.state().loaded) pages.load().catch(() => {});
    },
    reset() {
      filter = {};
      pages.reset();
    },
  };
}
