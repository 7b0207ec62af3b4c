/** Removes finished entries from a list, with ten seconds to undo. */
import { reminderKind } from "../../../model/reminders.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { setText } from "../../editor/edits.ts";
import type { Ports } from "../../ports/ports.ts";
import { doAndOffer, offerTakeBack } from "../../ports/take-back.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { entriesOf } from "./entries.ts";
import { ifAllowed } from "../messages/with-message.ts";
import { setPin } from "../messages/pin.ts";
import { goOn, type AtList } from "./cursor.ts";
import type { ListEntry } from "./entry.ts";

/** What makes unread again what was read. */
type Back = () => void;

/** Makes a channel read; gives back what makes it unread again, where its first unread message is known. */
async function readChannel(ports: Ports, cid: string): Promise<Back | undefined> {
  const { core, store } = ports;
  const first = store.state.channels.get(cid)?.firstUnreadId;
  await core.markRead(cid);
  return first === undefined ? undefined : () => attempt(ports, core.markUnread(cid, first));
}

/** The same for a thread; it is unread again from its newest reply on (TH-10). */
async function readThread(ports: Ports, place: ThreadRef & { parentId: string }): Promise<Back> {
  await ports.core.threads.markRead(place);
  return () => attempt(ports, ports.core.threads.markUnread(place));
}

function readEntry(ports: Ports, { place: { cid, parentId } }: ListEntry): Promise<Back | undefined> {
  return parentId === undefined ? readChannel(ports, cid) : readThread(ports, { cid, parentId });
}

/** Takes a reminder away. One whose time has passed comes back without a time: none in the past is taken (RE-2). */
function removeReminder(ports: Ports, { messageId }: ListEntry): void {
  const { core, store, clock } = ports;
  const held = store.get().lists.reminders.items.find(({ message_id }) => message_id === messageId);
  if (!held) return;
  const { remind_at } = held;
  const back = (): Promise<unknown> => {
    const when = reminderKind(held, clock.now()) === "upcoming" ? remind_at : null;
    return core.reminders.create(held.message_id, when);
  };
  const said = { done: words.later.removed, what: words.later.change };
  doAndOffer(ports, core.reminders.remove(held.message_id), said, back);
}

/** Throws a draft away; its text can be walked back to, too. */
function discardDraft(ports: Ports, { place }: ListEntry): void {
  const { boxes } = ports;
  boxes.open(place);
  const { text } = boxes.at(place).editor;
  boxes.remember(text);
  boxes.change((composer) => composer.clear(), place);
  offerTakeBack(ports, { done: words.lists.discarded, what: words.lists.discard }, () =>
    boxes.put(setText(boxes.at(place).editor, text), place, true),
  );
}

/** Takes the pin off for everybody, where the channel allows it. */
function unpin(ports: Ports, { place: { cid }, messageId }: ListEntry): void {
  const entry = ports.store.state.channels.get(cid);
  const message = entry?.pinned.find(({ id }) => id === messageId);
  if (message) ifAllowed("pin-message", setPin(false))(ports, message);
}

export function clearEntry(ports: Ports, at: AtList & { entry: ListEntry }): void {
  const { list, entry } = at;
  if (list === "later") return removeReminder(ports, entry);
  if (list === "drafts") return discardDraft(ports, entry);
  if (list === "pins") return unpin(ports, entry);
  if (entry.fresh === 0) return showNotice(ports, words.lists.readAlready);
  goOn(ports, at);
  const said = { done: words.lists.read[list](1), what: words.lists.readMark };
  attempt(
    ports,
    readEntry(ports, entry).then((back) => {
      if (back) offerTakeBack(ports, said, back);
      else showNotice(ports, said.done, "success");
    }),
  );
}

/** Unread threads come first: pages are asked for until one begins to be read. */
async function allThreads({ core }: Pick<Ports, "core">): Promise<void> {
  const { threads } = core;
  while (threads.state().threads.at(-1)?.unread && (await threads.more()));
}

/** Only what the provider took is told as read; why the rest stays unread is said once. */
async function readThese(ports: Ports, list: "inbox" | "threads"): Promise<void> {
  ports.store.update((s) => s);
  const entries = entriesOf(ports.store.get(), list).filter(({ fresh }) => fresh > 0);
  if (entries.length === 0) return showNotice(ports, words.lists.nothingUnread);
  const tried = await Promise.allSettled(entries.map((entry) => readEntry(ports, entry)));
  const backs = tried.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const said = { done: words.lists.read[list](backs.length), what: words.lists.readMarks };
  if (backs.length > 0) offerTakeBack(ports, said, () => backs.forEach((back) => back?.()));
  const refused = tried.find((one) => one.status === "rejected");
  if (refused) throw refused.reason;
}

/** All that is unread in the list is read at once, and together unread again. */
export function readAll(ports: Ports, { list }: AtList): void {
  if (list !== "inbox" && list !== "threads") return showNotice(ports, words.lists.onlyReads);
  attempt(
    ports,
    (list === "threads" ? allThreads(ports) : Promise.resolve()).then(() => readThese(ports, list)),
  );
}
