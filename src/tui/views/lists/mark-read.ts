/** Marks entries of Inbox and Threads read, with ten seconds to undo. */
import type { ThreadRef } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
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

const markEntryRead = (ports: Ports, { place: { cid, parentId } }: ListEntry): Promise<Undo | undefined> =>
  parentId === undefined ? markChannelRead(ports, cid) : markThreadRead(ports, { cid, parentId });

type ReadList = keyof typeof words.lists.read;

/** Marks the entry read; the cursor moves on. */
export const markOne =
  (list: ReadList) =>
  (ports: Ports, entry: ListEntry, _panel: unknown, moveOn: () => void): void => {
    if (entry.newCount === 0) return showNotice(ports, words.lists.readAlready);
    moveOn();
    const notice = { done: words.lists.read[list](1), what: words.lists.readMark };
    const marking = markEntryRead(ports, entry).then((undo) => {
      if (undo) offerTakeBack(ports, notice, undo);
      else showNotice(ports, notice.done, "success");
    });
    attempt(ports, marking);
  };

/** Marks all unread entries read, with one undo for all; throws the first error after reporting how many succeeded. */
async function markEntriesRead(ports: Ports, list: ReadList, all: readonly ListEntry[]): Promise<void> {
  const entries = all.filter(({ newCount }) => newCount > 0);
  if (entries.length === 0) return showNotice(ports, words.lists.nothingUnread);
  const results = await Promise.allSettled(entries.map((entry) => markEntryRead(ports, entry)));
  const undos = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const notice = { done: words.lists.read[list](undos.length), what: words.lists.readMarks };
  if (undos.length > 0) offerTakeBack(ports, notice, () => undos.forEach((undo) => undo?.()));
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}

export const markAll = (ports: Ports, list: ReadList, entries: readonly ListEntry[]): void =>
  attempt(ports, markEntriesRead(ports, list, entries));
