/** Lists unsent drafts, newest first. */
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { draftsElsewhere } from "../../screen/screen.ts";
import { placeKey } from "../../screen/place-key.ts";
import type { Snapshot } from "../../screen/store.ts";
import { placeTitle, type ListEntry } from "./entry.ts";

/** A draft stays listed when its channel is gone, so that its text can still be copied. */
export function draftEntries({ state, screen }: Pick<Snapshot, "state" | "screen">): ListEntry[] {
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
