/** The entries of each list, the one under the cursor, and the list's number. */
import { waiting } from "../../../model/channels.ts";
import type { ListName, OwnList, Screen } from "../../screen/screen.ts";
import type { Snapshot } from "../../screen/store.ts";
import { draftEntries } from "./drafts.ts";
import type { ListEntry } from "./entry.ts";
import { inboxEntries } from "./inbox.ts";
import { dueCount, laterEntries } from "./later.ts";
import { pinEntries } from "./pins.ts";
import { threadEntries } from "./threads.ts";

type Given = Pick<Snapshot, "state" | "lists" | "screen" | "now">;

const MAKERS: Readonly<Record<ListName, (given: Given) => ListEntry[]>> = {
  inbox: inboxEntries,
  threads: threadEntries,
  later: laterEntries,
  drafts: draftEntries,
  pins: pinEntries,
};

export const entriesOf = (given: Given, list: ListName): ListEntry[] => MAKERS[list](given);

type Loading = Pick<Snapshot["lists"]["reminders"], "loaded" | "loading" | "error" | "next">;

export type ListCounts = Readonly<Record<OwnList, number>>;

/** The provider's number until the list is there: replies in watched channels are told without it (R-READ-8). Behind the last page may be more. */
function unreadThreads({ state, lists: { threads } }: Given): number {
  const held = threads.threads.filter(({ unread }) => unread > 0).length;
  if (!threads.loaded) return state.totals.threads;
  const mayBeMore = threads.next !== undefined && held === threads.threads.length;
  return mayBeMore ? Math.max(held, state.totals.threads) : held;
}

/** The number of each list, in the sidebar and in its title: what waits, unread threads, what is due, drafts. */
export const listCounts = (given: Given): ListCounts => ({
  inbox: waiting(given.state, given.now).length,
  threads: unreadThreads(given),
  later: dueCount(given),
  drafts: draftEntries(given).length,
});

/** How far a list of core's has been loaded; undefined where everything is held already. */
export function loadingOf(lists: Snapshot["lists"], list: ListName): Loading | undefined {
  if (list === "threads") return lists.threads;
  return list === "later" ? lists.reminders : undefined;
}

/** Where the cursor stands; −1 in an empty list. */
export function cursorIn(screen: Screen, list: ListName, entries: readonly ListEntry[]): number {
  const cursor = screen.cursors[list];
  const at = entries.findIndex(({ key }) => key === cursor?.key);
  return at >= 0 ? at : Math.min(cursor?.index ?? 0, entries.length - 1);
}
