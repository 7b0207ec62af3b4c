/** Sets reminders for messages, with or without a time, and opens due ones. */
import type { Notice } from "../../../model/state.ts";
import { duration, momentWords } from "../../../text/times.ts";
import { GapError, parseWhen } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import { REMINDER_OFFSETS } from "../../../wire/constants.ts";
import type { Reminder } from "../../../wire/entities/reminder.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Choice } from "../../screen/popup.ts";
import { focusedPanel } from "../../ports/panels.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { selectedIn } from "../../screen/selectors.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import { attempt, openPicker, showNotice } from "../../screen/notices.ts";
import { openEntryMessage } from "./open-entry.ts";
import { later } from "./later.ts";

type ReminderRef = Pick<Reminder, "message_id" | "remind_at">;

/** The user's reminder for a message, from the list or from the message itself. */
function reminderOf({ store }: Pick<Ports, "store">, id: string): ReminderRef | undefined {
  const model = store.get();
  const listed = model.lists.reminders.items.find(({ message_id }) => message_id === id);
  const selected = selectedIn(model);
  return listed ?? (selected?.id === id ? selected.reminder : undefined);
}

/** The message of the entry under the list's cursor, else the one under the browse cursor. */
function targetMessageId({ store }: Pick<Ports, "store">): string | undefined {
  const { of, panel } = focusedPanel(store.screen) ?? {};
  return of?.messageId ? of.messageId(store.get(), panel!) : selectedIn(store.get())?.id;
}

const withTargetMessage =
  (action: (ports: Ports, id: string) => void): Action =>
  (ports) => {
    const id = targetMessageId(ports);
    if (id === undefined) showNotice(ports, words.later.chooseFirst);
    else action(ports, id);
  };

/** Opens the list of times: the offsets of RE-9, no time, or a typed time. */
const remind = withTargetMessage((ports, id) =>
  openPicker(ports, {
    title: words.later.when,
    hint: words.later.hint,
    followsTime: true,
    choices: ({ query, now, utc }) =>
      timeChoices(query, now, utc).map(({ at, ...choice }) => ({
        ...choice,
        choose: () => attempt(ports, setReminder(ports, id, at)),
      })),
  }),
);

export const SOMEDAY = "someday";

/** Parses a typed time, ms; undefined when it is malformed or in the past, and a sentence when clocks skip it. */
export function parseFutureTime(query: string, now: number, utc: boolean): number | string | undefined {
  try {
    const at = parseWhen(query, { now, direction: "future", utc });
    return at > now ? at : undefined;
  } catch (error) {
    return error instanceof GapError ? `${error.message}.` : undefined;
  }
}

/** A time to choose, ms; none for some day. */
interface TimeChoice extends Choice {
  at?: number;
}

/** The times to choose from. */
export function timeChoices(query: string, now: number, utc: boolean): TimeChoice[] {
  const choice = (label: string, at: number): TimeChoice => ({
    label,
    detail: momentWords(at, now, { utc }),
    at,
  });
  const someday: TimeChoice = { label: SOMEDAY, detail: words.later.noTime };
  if (query === "")
    return [...REMINDER_OFFSETS.map((ms) => choice(words.later.in(duration(ms)), now + ms)), someday];
  const at = parseFutureTime(query, now, utc);
  return [
    ...(typeof at === "number" ? [choice(query, at)] : []),
    ...(SOMEDAY.startsWith(query) ? [someday] : []),
  ];
}

function formatMoment({ store }: Pick<Ports, "store">, at: string): string {
  const { now, look } = store.get();
  return momentWords(timeToMs(at), now, look);
}

/** Creates the reminder of a message, or changes its time, ms; without one it is saved for some day. */
export async function setReminder(ports: Ports, id: string, at: number | undefined): Promise<void> {
  const { reminders } = ports.core;
  const when = at === undefined ? null : new Date(at).toISOString();
  await (reminderOf(ports, id) ? reminders.update(id, when) : reminders.create(id, when));
  const done = when === null ? words.later.saved : words.later.set(formatMoment(ports, when));
  showNotice(ports, done, "success");
}

/** Saves a message for later without a time; a saved one is removed. */
const save = withTargetMessage((ports, id) => {
  const { reminders } = ports.core;
  const reminder = reminderOf(ports, id);
  if (reminder?.remind_at)
    return showNotice(ports, words.later.hasTime(formatMoment(ports, reminder.remind_at)));
  const notice = { done: reminder ? words.later.removed : words.later.saved, what: words.later.change };
  const [run, undo] = reminder
    ? [() => reminders.remove(id), () => reminders.create(id)]
    : [() => reminders.create(id), () => reminders.remove(id)];
  runAndOfferTakeBack(ports, run(), notice, undo);
});

/** The id of the message in the notice of a due reminder. */
export const dueMessageId = ({ origin = "" }: Notice): string | undefined =>
  /^reminder (.+)$/.exec(origin)?.[1];

/** Opens the message of a notice, and dismisses the notice. */
export function openNotice(ports: Ports, notice: Notice): void {
  const { core, store } = ports;
  const id = dueMessageId(notice);
  core.dismiss(notice.id);
  store.update((s) => s);
  if (id === undefined) return;
  const entry = later.entries(store.get()).find(({ messageId }) => messageId === id);
  if (entry) openEntryMessage(ports, entry);
  else later.show(ports);
}

export const reminderActions = {
  remind,
  save,
  openDue: (ports) => {
    const notice = ports.store.state.notices.findLast((each) => dueMessageId(each) !== undefined);
    if (notice) openNotice(ports, notice);
    else later.show(ports);
  },
} satisfies Record<string, Action>;
