/** How `set --file` reads and writes reminders: a page in a request; a message that is there may get its first one. */
import type { Core } from "../../core/core.ts";
import { parseWhen } from "../../text/when.ts";
import { REMINDERS_LIMIT } from "../../wire/constants.ts";
import { isNotFound } from "../../wire/errors.ts";
import type { Reminder } from "../../wire/entities/reminder.ts";
import { isMessageId } from "../../wire/ids.ts";
import { CommandError } from "../base/define-command.ts";
import { oneByOne, type Settable } from "../base/bulk/set-from-file.ts";

/** A reminder, or a message without one. */
export type MaybeReminder = Pick<Reminder, "message_id"> & Partial<Reminder>;

const SETTABLE = "remind_at";

/** Times are compared however a file writes them. */
const inOneForm = <R extends MaybeReminder>(reminder: R): R =>
  typeof reminder.remind_at === "string"
    ? { ...reminder, remind_at: new Date(reminder.remind_at).toISOString() }
    : reminder;

function readTime(value: unknown, now: number): unknown {
  if (value === null || value === "") return value;
  try {
    return new Date(parseWhen(String(value), { now, direction: "future" })).toISOString();
  } catch (error) {
    throw new CommandError("rejected", `${SETTABLE}: ${(error as Error).message}.`);
  }
}

/** The message, if it is there. */
async function messageOf({ call }: Pick<Core, "call">, id: string): Promise<MaybeReminder | undefined> {
  try {
    return { message_id: (await call("getMessage", { path: { id } })).message.id };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function remindersNow(
  core: Pick<Core, "call" | "reminders">,
  ids: readonly string[],
): Promise<Map<string, MaybeReminder>> {
  const filter = { message_id: { $in: [...ids] } };
  const { items } = await core.reminders.page({ filter, limit: ids.length });
  const found = new Map<string, MaybeReminder>(items.map((one) => [one.message_id, inOneForm(one)]));
  for (const id of ids) {
    const message = found.has(id) ? undefined : await messageOf(core, id);
    if (message) found.set(id, message);
  }
  return found;
}

export const settableReminders = (
  core: Pick<Core, "call" | "reminders">,
  time: number,
): Settable<MaybeReminder> => ({
  noun: "message",
  form: {
    ids: ["message_id", "id", "message"],
    known: ["message_id", SETTABLE],
    texts: [SETTABLE],
    readId: (text) => (isMessageId(text) ? text : undefined),
    readValue: (name, value) => (name === SETTABLE ? readTime(value, time) : value),
  },
  isSettable: (name) => name === SETTABLE,
  pageSize: REMINDERS_LIMIT[1],
  now: (ids) => remindersNow(core, ids),
  ...oneByOne<MaybeReminder>(async (id, { set }, now) => {
    const at = set![SETTABLE] as string | null;
    const { reminders } = core;
    return inOneForm(
      await (now.created_at === undefined ? reminders.create(id, at) : reminders.update(id, at)),
    );
  }),
});
