/** Sets reminders of messages, with or without a time, and opens those that are due. */
import type { Notice } from "../../../model/state.ts";
import { duration, momentWords } from "../../../text/times.ts";
import { parseWhen } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import { REMINDER_OFFSETS } from "../../../wire/constants.ts";
import type { Reminder } from "../../../wire/entities/reminder.ts";
import { timeToMs } from "../../../wire/time.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { selectedIn } from "../../screen/selectors.ts";
import { doAndOffer } from "../../ports/take-back.ts";
import { attempt, showNotice, openPicker } from "../../screen/notices.ts";
import { openMessage } from "./opening.ts";
import { atList, openList } from "./cursor.ts";
import { entriesOf } from "./entries.ts";

type Held = Pick<Reminder, "message_id" | "remind_at">;

/** The own reminder of a message, as the list or the message itself has it. */
function heldOf({ store }: Pick<Ports, "store">, id: string): Held | undefined {
  const model = store.get();
  const listed = model.lists.reminders.items.find(({ message_id }) => message_id === id);
  const selected = selectedIn(model);
  return listed ?? (selected?.id === id ? selected.reminder : undefined);
}

/** The message that is meant: of the entry in Later, else the one under the browse cursor. */
function meantId(ports: Pick<Ports, "store">): string | undefined {
  const at = atList(ports);
  return at ? at.entry?.messageId : selectedIn(ports.store.get())?.id;
}

const withMessage =
  (act: (ports: Ports, id: string) => void): Action =>
  (ports) => {
    const id = meantId(ports);
    if (id === undefined) showNotice(ports, words.later.chooseFirst);
    else act(ports, id);
  };

/** Asks when: the offsets of RE-9, no time, or a time that is typed. */
const remind = withMessage(({ store }, about) =>
  openPicker({ store }, { name: "remind", title: words.later.when, about }),
);

export const SOMEDAY = "someday";

/** A time to come as it is read everywhere; undefined for another. */
export function typedTime(query: string, now: number, utc: boolean): number | undefined {
  try {
    const at = parseWhen(query, { now, direction: "future", utc });
    return at > now ? at : undefined;
  } catch {
    return undefined;
  }
}

/** What can be chosen; `value` is a time as the provider writes it, or someday. */
export function timeChoices(query: string, now: number, utc: boolean): Choice[] {
  const choice = (label: string, at: number): Choice => ({
    label,
    detail: momentWords(at, now, { utc }),
    value: new Date(at).toISOString(),
  });
  const someday: Choice = { label: SOMEDAY, detail: words.later.noTime, value: SOMEDAY };
  if (query === "")
    return [...REMINDER_OFFSETS.map((ms) => choice(words.later.in(duration(ms)), now + ms)), someday];
  const at = typedTime(query, now, utc);
  return [...(at === undefined ? [] : [choice(query, at)]), ...(SOMEDAY.startsWith(query) ? [someday] : [])];
}

function momentIn({ store }: Pick<Ports, "store">, at: string): string {
  const { now, look } = store.get();
  return momentWords(timeToMs(at), now, look);
}

/** Makes the reminder of a message, or moves it. */
export const remindAt = (ports: Ports, id: string, chosen: string): void =>
  attempt(ports, setReminder(ports, id, chosen));

/** The same for who waits for it; `chosen` is a time as the provider writes it, or someday. */
export async function setReminder(ports: Ports, id: string, chosen: string): Promise<void> {
  const { reminders } = ports.core;
  const when = chosen === SOMEDAY ? null : chosen;
  const made = heldOf(ports, id) ? reminders.update(id, when) : reminders.create(id, when);
  await made;
  showNotice(ports, when === null ? words.later.saved : words.later.set(momentIn(ports, when)), "success");
}

/** Without a time; once more takes it out again. */
const save = withMessage((ports, id) => {
  const { reminders } = ports.core;
  const held = heldOf(ports, id);
  if (held?.remind_at) return showNotice(ports, words.later.hasTime(momentIn(ports, held.remind_at)));
  const said = { done: held ? words.later.removed : words.later.saved, what: words.later.change };
  const [make, undo] = held
    ? [() => reminders.remove(id), () => reminders.create(id)]
    : [() => reminders.create(id), () => reminders.remove(id)];
  doAndOffer(ports, make(), said, undo);
});

/** The message that a notice says is due. */
export const dueIn = ({ origin = "" }: Notice): string | undefined => /^reminder (.+)$/.exec(origin)?.[1];

/** Goes to what a notice is about, and closes it. */
export function openNotice(ports: Ports, notice: Notice): void {
  const { core, store } = ports;
  const id = dueIn(notice);
  core.dismiss(notice.id);
  store.update((s) => s);
  if (id === undefined) return;
  const entry = entriesOf(store.get(), "later").find(({ messageId }) => messageId === id);
  if (entry) openMessage(ports, entry);
  else openList(ports, "later");
}

export const remindingActions = {
  remind,
  save,
  openDue: (ports) => {
    const notice = ports.store.state.notices.findLast((each) => dueIn(each) !== undefined);
    if (notice) openNotice(ports, notice);
    else openList(ports, "later");
  },
} satisfies Record<string, Action>;
