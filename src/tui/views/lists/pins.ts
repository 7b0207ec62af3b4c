/** Pinned messages of the open channel as entries, and the banner that names the newest. */
import { userName } from "../../../model/channels.ts";
import { excerpt } from "../../../model/message-words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { timeToMs } from "../../../wire/time.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import type { Theme } from "../../render/theme.ts";
import { openEntry } from "../../screen/selectors.ts";
import type { Snapshot } from "../../screen/store.ts";
import { placeOf } from "../messages/jump.ts";
import { saidIn, type ListEntry } from "./entry.ts";

export function pinEntries(given: Pick<Snapshot, "state" | "screen">): ListEntry[] {
  const { state } = given;
  return (openEntry(given)?.pinned ?? []).map((message): ListEntry => {
    const place = placeOf(message);
    const { pinned_by: by } = message;
    const { who = "", text } = saidIn(message, state.me?.id);
    return {
      key: message.id,
      where: place.parentId === undefined ? who : words.pins.inThread(who),
      at: timeToMs(message.created_at),
      fresh: 0,
      note: by ? words.message.pinnedBy(userName(by)) : "",
      said: [{ text }],
      place,
      messageId: message.id,
    };
  });
}

/** `pinned · 1 of 3 · ana: the runbook is in the wiki` */
export function bannerRow(pins: readonly Message[], theme: Theme, width: number): string {
  const label = ` ${words.pins.label(pins.length)}`;
  const said = pins[0] ? ` · ${userName(pins[0].user)}: ${excerpt(pins[0])}` : "";
  return (
    theme.accent(truncate(label, width)) + theme.dim(truncate(said, Math.max(0, width - cellWidth(label))))
  );
}
