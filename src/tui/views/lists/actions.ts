/** Actions of Inbox, Threads, Later and Drafts. */
import type { Action, Ports } from "../../ports/ports.ts";
import { jumpWithReturn } from "../messages/jump.ts";
import { clearEntry, readAll } from "./clearing.ts";
import { atList, goOn, loadList, openList, page, step, type AtList } from "./cursor.ts";
import { loadingOf } from "./entries.ts";
import type { ListEntry } from "./entry.ts";
import { openInBox, openMessage, intoThread, intoUnread } from "./opening.ts";
import { remindingActions } from "./reminding.ts";

function openEntry(ports: Ports, { list, entry }: AtList & { entry: ListEntry }): void {
  const { cid, parentId } = entry.place;
  switch (list) {
    case "inbox":
      return intoUnread(ports, cid);
    case "threads":
      return intoThread(ports, { cid, parentId: parentId! }, "panel");
    case "later":
      return openMessage(ports, entry);
    case "pins":
      return jumpWithReturn(ports, {
        id: entry.messageId!,
        cid,
        ...(parentId !== undefined && { parent_id: parentId }),
      });
    case "drafts":
      return openInBox(ports, entry);
  }
}

/** Where an answer is written: the thread, the channel that waits, the thread of what was kept, the box of the draft. */
function answerEntry(ports: Ports, { list, entry }: AtList & { entry: ListEntry }): void {
  const { cid, parentId } = entry.place;
  if (list === "inbox" || list === "drafts") return openInBox(ports, entry);
  intoThread(ports, { cid, parentId: parentId ?? entry.messageId! }, "composer");
}

/** With the entry under the cursor; what failed to come is asked for again. */
const withEntry =
  (act: (ports: Ports, at: AtList & { entry: ListEntry }) => void): Action =>
  (ports) => {
    const at = atList(ports);
    if (!at) return;
    if (loadingOf(ports.store.get().lists, at.list)?.error !== undefined) loadList(ports, at.list);
    const { entry } = at;
    if (!entry) return;
    if (entry.fresh > 0 && at.list !== "later") goOn(ports, at);
    act(ports, { ...at, entry });
  };

export const openUnderCursor = withEntry(openEntry);

export const listActions = {
  ...remindingActions,
  inbox: (ports) => openList(ports, "inbox"),
  threads: (ports) => openList(ports, "threads"),
  later: (ports) => openList(ports, "later"),
  drafts: (ports) => openList(ports, "drafts"),
  pins: (ports) => openList(ports, "pins"),
  listDown: step(1),
  listUp: step(-1),
  listFirst: step(-Number.MAX_SAFE_INTEGER),
  listLast: step(Number.MAX_SAFE_INTEGER),
  listPageDown: page(1),
  listPageUp: page(-1),
  listOpen: openUnderCursor,
  listReply: withEntry(answerEntry),
  listClear: (ports) => {
    const at = atList(ports);
    if (at?.entry) clearEntry(ports, { ...at, entry: at.entry });
  },
  listAllRead: (ports) => {
    const at = atList(ports);
    if (at) readAll(ports, at);
  },
} satisfies Record<string, Action>;
