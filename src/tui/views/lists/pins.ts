/** The pinned messages of the open channel, and the banner with the newest. */
import { userName } from "../../../model/channels.ts";
import { excerpt } from "../../../model/message-words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { timeToMs } from "../../../wire/time.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import type { Theme } from "../../render/theme.ts";
import { openEntry } from "../../screen/selectors.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Reads } from "../../screen/store.ts";
import { hasCapability } from "../../../model/permissions.ts";
import { jumpWithReturn, placeOf } from "../messages/jump.ts";
import { setPin } from "../messages/pin.ts";
import { ifAllowed } from "../messages/with-message.ts";
import { userList } from "./user-list.ts";
import { messageLine, type ListEntry } from "./entry.ts";

function entries(input: Reads<"state" | "cid">): ListEntry[] {
  const { state } = input;
  return (openEntry(input)?.pinned ?? []).map((message): ListEntry => {
    const place = placeOf(message);
    const { pinned_by: by } = message;
    const { author = "", text } = messageLine(message, state.me?.id);
    return {
      key: message.id,
      title: place.parentId === undefined ? author : words.pins.inThread(author),
      at: timeToMs(message.created_at),
      newCount: 0,
      note: by ? words.message.pinnedBy(userName(by)) : "",
      lines: [{ text }],
      place,
      messageId: message.id,
    };
  });
}

/** `pinned · 1 of 3 · ana: the runbook is in the wiki` */
export function bannerRow(pins: readonly Message[], theme: Theme, width: number): string {
  const label = ` ${words.pins.label(pins.length)}`;
  const newest = pins[0] ? ` · ${userName(pins[0].user)}: ${excerpt(pins[0])}` : "";
  return (
    theme.accent(truncate(label, width)) + theme.dim(truncate(newest, Math.max(0, width - cellWidth(label))))
  );
}

function unpin(ports: Ports, { place: { cid }, messageId }: ListEntry): void {
  const entry = ports.store.state.channels.get(cid);
  const message = entry?.pinned.find(({ id }) => id === messageId);
  if (message) ifAllowed("pin-message", setPin(false))(ports, message);
}

export const pins = userList({
  name: "pins",
  show: { title: "Pinned messages of this channel", keywords: "pins banner", former: "pins" },
  entries,
  count: (input) => openEntry(input)?.pinned.length ?? 0,
  open: (ports, { messageId, place: { cid, parentId } }) =>
    jumpWithReturn(ports, { id: messageId!, cid, ...(parentId !== undefined && { parent_id: parentId }) }),
  clear: {
    hint: "unpin",
    letter: "others",
    appliesTo: (_, model) => hasCapability(openEntry(model), "pin-message"),
    run: unpin,
  },
  hints: [{ action: "remind" }],
});
