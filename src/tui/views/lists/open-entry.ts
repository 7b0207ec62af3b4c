/** Opens the channel, thread, message or draft of an entry. */
import { openChannel, openThread } from "../../navigation/open-channel.ts";
import { withFocus } from "../../screen/transitions.ts";
import { staysAcross } from "../../ports/panels.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Screen } from "../../screen/screen.ts";
import { jumpToMessage, selectMessage } from "../messages/navigation.ts";
import type { ListEntry } from "./entry.ts";

/** Opens a channel in the middle; on a wide screen the list stays open beside it. */
function showChannel(ports: Ports, cid: string, isPassing = false): void {
  const { store } = ports;
  const { panels } = store.screen;
  openChannel(ports, cid, isPassing);
  const lists = panels.filter(staysAcross);
  if (store.get().layout.kind === "wide") store.update((s): Screen => ({ ...s, panels: lists }));
}

/** Opens a thread on top of the list, so that Esc returns to the list; replies may still be loading. */
export function openThreadOverList(
  ports: Ports,
  place: { cid: string; parentId: string },
  focus: "composer" | "panel",
): void {
  const loaded = openThread(ports, place);
  ports.store.update((s) => withFocus(s, focus));
  if (focus !== "panel") return;
  selectMessage(ports);
  void loaded.then(() => {
    ports.store.update((s) => s);
    selectMessage(ports);
  });
}

/** Opens a channel at its first unread message, else at its end. */
export function openAtFirstUnread(ports: Ports, cid: string): void {
  const first = ports.store.state.channels.get(cid)?.firstUnreadId;
  showChannel(ports, cid, first !== undefined);
  ports.store.update((s) => withFocus(s, "messages"));
  if (first !== undefined) jumpToMessage(ports, { cid }, first);
  else selectMessage(ports);
}

/** Opens the message of a reminder in its channel or thread. */
export function openEntryMessage(ports: Ports, { place, messageId }: ListEntry): void {
  const { cid, parentId } = place;
  if (parentId === undefined) showChannel(ports, cid, true);
  else openThreadOverList(ports, { cid, parentId }, "panel");
  jumpToMessage(ports, place, messageId!);
}

/** Opens the composer of the entry's channel or thread. */
export function openComposer(ports: Ports, { place: { cid, parentId } }: ListEntry): void {
  if (parentId !== undefined) return openThreadOverList(ports, { cid, parentId }, "composer");
  showChannel(ports, cid);
  ports.store.update((s) => withFocus(s, "composer"));
}
