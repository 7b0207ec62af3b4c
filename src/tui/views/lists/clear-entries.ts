/** Clears entries of a list (read, done, discarded, unpinned), with ten seconds to undo. */
import { reminderKind } from "../../../model/reminders.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { setText } from "../../editor/edits.ts";
import type { Ports } from "../../ports/ports.ts";
import { runAndOfferTakeBack, offerTakeBack } from "../../ports/take-back.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { entriesOf } from "./entries.ts";
import { ifAllowed } from "../messages/with-message.ts";
import { setPin } from "../messages/pin.ts";
import { moveToNextEntry, type ListSelection } from "./cursor.ts";
import type { ListEntry } from "./entry.ts";

/** Marks unread again. */
type Undo = () => void;

/** Marks a channel read; without a known first unread message it cannot be undone. */
async function markChannelRead(ports: Ports, cid: string): Promise<Undo | undefined> {
  const { core, store } = ports;
  const first = store.state.channels.get(cid)?.firstUnreadId;
  await core.markRead(cid);
  return first === undefined ? undefined : () => attempt(ports, core.markUnread(cid, first));
}

/** Marks a thread read; undone, it is unread from its newest reply on (TH-10). */
async function markThreadRead(ports: Ports, place: ThreadRef & { parentId: string }): Promise<Undo> {
  await ports.core.threads.markRead(place);
  return () => attempt(ports, ports.core.threads.markUnread(place));
}

function markEntryRead(ports: Ports, { place: { cid, parentId } }: ListEntry): Promise<Undo | undefined> {
  return parentId === undefined ? markChannelRead(ports, cid) : markThreadRead(ports, { cid, parentId });
}

/** Removes a reminder. Undone, an overdue one has no time: the provider accepts none in the past (RE-2). */
function removeReminder(ports: Ports, { messageId }: ListEntry): void {
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

/** Discards a draft; its text also stays in the composer's history. */
function discardDraft(ports: Ports, { place }: ListEntry): void {
  const { boxes } = ports;
  boxes.open(place);
  const { text } = boxes.at(place).editor;
  boxes.remember(text);
  boxes.change((composer) => composer.clear(), place);
  offerTakeBack(ports, { done: words.lists.discarded, what: words.lists.discard }, () =>
    boxes.setEditor(setText(boxes.at(place).editor, text), place, true),
  );
}

function unpin(ports: Ports, { place: { cid }, messageId }: ListEntry): void {
  const entry = ports.store.state.channels.get(cid);
  const message = entry?.pinned.find(({ id }) => id === messageId);
  if (message) ifAllowed("pin-message", setPin(false))(ports, message);
}

export function clearEntry(ports: Ports, selection: ListSelection & { entry: ListEntry }): void {
  const { list, entry } = selection;
  if (list === "later") return removeReminder(ports, entry);
  if (list === "drafts") return discardDraft(ports, entry);
  if (list === "pins") return unpin(ports, entry);
  if (entry.newCount === 0) return showNotice(ports, words.lists.readAlready);
  moveToNextEntry(ports, selection);
  const notice = { done: words.lists.read[list](1), what: words.lists.readMark };
  const marking = markEntryRead(ports, entry).then((undo) => {
    if (undo) offerTakeBack(ports, notice, undo);
    else showNotice(ports, notice.done, "success");
  });
  attempt(ports, marking);
}

/** Loads pages until the last thread is a read one: the provider sorts unread threads first. */
async function loadUnreadThreads({ core }: Pick<Ports, "core">): Promise<void> {
  const { threads } = core;
  while (threads.state().threads.at(-1)?.unread && (await threads.more()));
}

/** Marks all unread entries read; throws the first error after reporting how many succeeded. */
async function markEntriesRead(ports: Ports, list: "inbox" | "threads"): Promise<void> {
  ports.store.update((s) => s);
  const entries = entriesOf(ports.store.get(), list).filter(({ newCount }) => newCount > 0);
  if (entries.length === 0) return showNotice(ports, words.lists.nothingUnread);
  const results = await Promise.allSettled(entries.map((entry) => markEntryRead(ports, entry)));
  const undos = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const notice = { done: words.lists.read[list](undos.length), what: words.lists.readMarks };
  if (undos.length > 0) offerTakeBack(ports, notice, () => undos.forEach((undo) => undo?.()));
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}

/** Marks the whole list read, with one undo for all. */
export function markListRead(ports: Ports, { list }: ListSelection): void {
  if (list !== "inbox" && list !== "threads") return showNotice(ports, words.lists.onlyReads);
  const loaded = list === "threads" ? loadUnreadThreads(ports) : Promise.resolve();
  const marking = loaded.then(() => markEntriesRead(ports, list));
  attempt(ports, marking);
}
