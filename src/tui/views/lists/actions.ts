/** What keys do in Inbox, Threads, Later and Drafts. */
import { openChannel, openPanel } from "../../navigation/opening.ts";
import { focused } from "../../screen/moves.ts";
import type { Action, Ports } from "../../screen/ports.ts";
import type { Panel, Screen } from "../../screen/screen.ts";
import { jumpToMessage, select } from "../messages/moving.ts";
import { clearEntry, readAll } from "./clearing.ts";
import { atList, goOn, loadList, openList, page, step } from "./cursor.ts";
import type { AtList } from "./cursor.ts";
import { loadingOf } from "./entries.ts";
import type { Entry } from "./entry.ts";

/** A channel in the middle; beside it the list stays, over it it would hide it. */
function intoChannel(ports: Ports, cid: string): void {
  const { store } = ports;
  const { panels } = store.screen;
  openChannel(ports, cid);
  const lists = panels.filter((panel): panel is Extract<Panel, { kind: "list" }> => panel.kind === "list");
  if (store.get().layout.kind === "wide") store.now((s): Screen => ({ ...s, panels: lists }));
}

/** A thread over the list, which Esc comes back to; what its channel is made of may not be held yet. */
function intoThread(
  ports: Ports,
  place: { cid: string; parentId: string },
  focus: "composer" | "panel",
): void {
  openPanel(ports, { kind: "thread", ...place });
  ports.store.now((s) => focused(s, focus));
  if (focus === "panel") select(ports);
}

/** At what is new in a channel, else at its end. */
function intoUnread(ports: Ports, cid: string): void {
  const first = ports.store.state.channels.get(cid)?.firstUnreadId;
  intoChannel(ports, cid);
  ports.store.now((s) => focused(s, "messages"));
  if (first !== undefined) jumpToMessage(ports, { cid }, first);
  else select(ports);
}

/** The message that a reminder is about, where it stands. */
function intoMessage(ports: Ports, { place: { cid, parentId }, messageId }: Entry): void {
  if (parentId === undefined) intoChannel(ports, cid);
  else intoThread(ports, { cid, parentId }, "panel");
  jumpToMessage(ports, { cid, ...(parentId !== undefined && { parentId }) }, messageId!);
}

/** The draft in its box. */
function intoBox(ports: Ports, { place: { cid, parentId } }: Entry): void {
  if (parentId !== undefined) return intoThread(ports, { cid, parentId }, "composer");
  intoChannel(ports, cid);
  ports.store.now((s) => focused(s, "composer"));
}

function openEntry(ports: Ports, { list, entry }: AtList & { entry: Entry }): void {
  const { cid, parentId } = entry.place;
  switch (list) {
    case "inbox":
      return intoUnread(ports, cid);
    case "threads":
      return intoThread(ports, { cid, parentId: parentId! }, "panel");
    case "later":
      return intoMessage(ports, entry);
    case "drafts":
      return intoBox(ports, entry);
  }
}

/** Where an answer is written: the thread, the channel that waits, the thread of what was kept, the box of the draft. */
function answerEntry(ports: Ports, { list, entry }: AtList & { entry: Entry }): void {
  const { cid, parentId } = entry.place;
  if (list === "inbox" || list === "drafts") return intoBox(ports, entry);
  intoThread(ports, { cid, parentId: parentId ?? entry.messageId! }, "composer");
}

/** With the entry under the cursor; what failed to come is asked for again. */
const withEntry =
  (act: (ports: Ports, at: AtList & { entry: Entry }) => void): Action =>
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
  inbox: (ports) => openList(ports, "inbox"),
  threads: (ports) => openList(ports, "threads"),
  later: (ports) => openList(ports, "later"),
  drafts: (ports) => openList(ports, "drafts"),
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
