/** Actions of Inbox, Threads, Later and Drafts. */
import type { Action, Ports } from "../../ports/ports.ts";
import { jumpWithReturn } from "../messages/jump.ts";
import { clearEntry, markListRead } from "./clear-entries.ts";
import { listSelection, moveToNextEntry, loadList, openList, type ListSelection } from "./cursor.ts";
import { loadingOf } from "./entries.ts";
import type { ListEntry } from "./entry.ts";
import { openComposer, openEntryMessage, openThreadOverList, openAtFirstUnread } from "./open-entry.ts";
import { reminderActions } from "./reminders.ts";

function openEntry(ports: Ports, { list, entry }: ListSelection & { entry: ListEntry }): void {
  const { cid, parentId } = entry.place;
  switch (list) {
    case "inbox":
      return openAtFirstUnread(ports, cid);
    case "threads":
      return openThreadOverList(ports, { cid, parentId: parentId! }, "panel");
    case "later":
      return openEntryMessage(ports, entry);
    case "pins":
      return jumpWithReturn(ports, { id: entry.messageId!, cid, parent_id: parentId });
    case "drafts":
      return openComposer(ports, entry);
  }
}

/** Opens the composer for an answer: that of the channel or draft, else that of the entry's thread. */
function answerEntry(ports: Ports, { list, entry }: ListSelection & { entry: ListEntry }): void {
  const { cid, parentId } = entry.place;
  if (list === "inbox" || list === "drafts") return openComposer(ports, entry);
  openThreadOverList(ports, { cid, parentId: parentId ?? entry.messageId! }, "composer");
}

/** Runs with the entry under the cursor; a list that failed to load is loaded again. */
const withEntry =
  (action: (ports: Ports, selection: ListSelection & { entry: ListEntry }) => void): Action =>
  (ports) => {
    const selection = listSelection(ports);
    if (!selection) return;
    if (loadingOf(ports.store.get().lists, selection.list)?.error !== undefined)
      loadList(ports, selection.list);
    const { entry } = selection;
    if (!entry) return;
    if (entry.newCount > 0 && selection.list !== "later") moveToNextEntry(ports, selection);
    action(ports, { ...selection, entry });
  };

export const openUnderCursor = withEntry(openEntry);

export const listActions = {
  ...reminderActions,
  inbox: (ports) => openList(ports, "inbox"),
  threads: (ports) => openList(ports, "threads"),
  later: (ports) => openList(ports, "later"),
  drafts: (ports) => openList(ports, "drafts"),
  pins: (ports) => openList(ports, "pins"),
  listOpen: openUnderCursor,
  listReply: withEntry(answerEntry),
  listClear: (ports) => {
    const selection = listSelection(ports);
    if (selection?.entry) clearEntry(ports, { ...selection, entry: selection.entry });
  },
  listAllRead: (ports) => {
    const selection = listSelection(ports);
    if (selection) markListRead(ports, selection);
  },
} satisfies Record<string, Action>;
