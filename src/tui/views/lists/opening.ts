/** Opens what an entry points to: a channel, a thread, a message or a draft. */
import { openChannel, openThread } from "../../navigation/opening.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Panel, Screen } from "../../screen/screen.ts";
import { jumpToMessage, selectMessage } from "../messages/navigation.ts";
import type { ListEntry } from "./entry.ts";

/** A channel in the middle; beside it the list stays, over it it would hide it. */
function intoChannel(ports: Ports, cid: string, passing = false): void {
  const { store } = ports;
  const { panels } = store.screen;
  openChannel(ports, cid, passing);
  const lists = panels.filter((panel): panel is Extract<Panel, { kind: "list" }> => panel.kind === "list");
  if (store.get().layout.kind === "wide") store.update((s): Screen => ({ ...s, panels: lists }));
}

/** A thread over the list, which Esc comes back to; what its channel is made of may not be held yet. */
export function intoThread(
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

/** At what is new in a channel, else at its end. */
export function intoUnread(ports: Ports, cid: string): void {
  const first = ports.store.state.channels.get(cid)?.firstUnreadId;
  intoChannel(ports, cid, first !== undefined);
  ports.store.update((s) => withFocus(s, "messages"));
  if (first !== undefined) jumpToMessage(ports, { cid }, first);
  else selectMessage(ports);
}

/** The message that a reminder is about, where it stands. */
export function openMessage(ports: Ports, { place: { cid, parentId }, messageId }: ListEntry): void {
  if (parentId === undefined) intoChannel(ports, cid, true);
  else intoThread(ports, { cid, parentId }, "panel");
  jumpToMessage(ports, { cid, ...(parentId !== undefined && { parentId }) }, messageId!);
}

/** The draft in its box. */
export function openInBox(ports: Ports, { place: { cid, parentId } }: ListEntry): void {
  if (parentId !== undefined) return intoThread(ports, { cid, parentId }, "composer");
  intoChannel(ports, cid);
  ports.store.update((s) => withFocus(s, "composer"));
}
