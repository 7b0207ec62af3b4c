/** Gives each list its entries, cursor, loading state and count. */
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { draftsElsewhere, type ListName, type UserList, type Screen } from "../../screen/screen.ts";
import { placeKey } from "../../screen/place-key.ts";
import type { Reads, Snapshot } from "../../screen/store.ts";
import { placeTitle, type ListEntry } from "./entry.ts";
import { channelsWithUnread } from "../../../model/channels.ts";
import { inboxEntries } from "./inbox.ts";
import { dueCount, laterEntries } from "./later.ts";
import { pinEntries } from "./pins.ts";
import { threadEntries } from "./threads.ts";

/** The slices that the entries are made from. */
export const ENTRY_SLICES = ["state", "lists", "now", "cid", "panels", "drafts"] as const;

type EntryInput = Reads<(typeof ENTRY_SLICES)[number]>;

/** A draft stays listed when its channel is gone, so that its text can still be copied. */
function draftEntries({ state, screen }: EntryInput): ListEntry[] {
  return draftsElsewhere(screen).map(({ cid, parentId, text, editingId, updatedAt }): ListEntry => {
    const place = { cid, ...(parentId !== undefined && { parentId }) };
    return {
      key: placeKey(place),
      title: placeTitle(state, place),
      at: updatedAt,
      newCount: 0,
      ...(editingId !== undefined && { note: words.message.edited }),
      lines: [{ text: cleanLine(text.trim().split("\n", 1)[0]!) }],
      place,
    };
  });
}

const ENTRY_LISTS: Readonly<Record<ListName, (input: EntryInput) => ListEntry[]>> = {
  inbox: inboxEntries,
  threads: threadEntries,
  later: laterEntries,
  drafts: draftEntries,
  pins: pinEntries,
};

export const entriesOf = (input: EntryInput, list: ListName): ListEntry[] => ENTRY_LISTS[list](input);

type Loading = Pick<Snapshot["lists"]["reminders"], "loaded" | "loading" | "error" | "next">;

export type ListCounts = Readonly<Record<UserList, number>>;

/** The provider's total until the list is loaded (R-READ-8), and while further unread threads may be on the next page. */
function unreadThreads({ state, lists: { threads } }: EntryInput): number {
  const loaded = threads.threads.filter(({ unread }) => unread > 0).length;
  if (!threads.loaded) return state.totals.threads;
  const mayBeMore = threads.next !== undefined && loaded === threads.threads.length;
  return mayBeMore ? Math.max(loaded, state.totals.threads) : loaded;
}

/** The count of each list, for the sidebar and its title: waiting channels, unread threads, due reminders, drafts. */
export const listCounts = (input: EntryInput): ListCounts => ({
  inbox: channelsWithUnread(input.state, input.now).length,
  threads: unreadThreads(input),
  later: dueCount(input),
  drafts: draftEntries(input).length,
});

/** The loading state of a list; undefined for lists made from state that is always held. */
export function loadingOf(lists: Snapshot["lists"], list: ListName): Loading | undefined {
  if (list === "threads") return lists.threads;
  return list === "later" ? lists.reminders : undefined;
}

/** The index under the cursor; −1 in an empty list. */
export function listCursorIndex(
  screen: Pick<Screen, "cursors">,
  list: ListName,
  entries: readonly ListEntry[],
): number {
  const cursor = screen.cursors[list];
  const at = entries.findIndex(({ key }) => key === cursor?.key);
  return at >= 0 ? at : Math.min(cursor?.index ?? 0, entries.length - 1);
}
