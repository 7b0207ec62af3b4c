/** The drafts elsewhere than in the visible composer. */
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { setText } from "../../editor/edits.ts";
import type { Ports } from "../../ports/ports.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { placeKey } from "../../screen/place-key.ts";
import { draftsElsewhere } from "../../screen/screen.ts";
import { placeTitle, type ListEntry } from "./entry.ts";
import { openComposer } from "./open-entry.ts";
import { userList } from "./user-list.ts";

/** Discards a draft; its text also stays in the composer's history. */
function discard(ports: Ports, { place }: ListEntry): void {
  const { boxes } = ports;
  boxes.open(place);
  const { text } = boxes.at(place).editor;
  boxes.remember(text);
  boxes.change((composer) => composer.clear(), place);
  offerTakeBack(ports, { done: words.lists.discarded, what: words.lists.discard }, () =>
    boxes.setEditor(setText(boxes.at(place).editor, text), place, true),
  );
}

export const draftList = userList({
  name: "drafts",
  show: { title: "Drafts: texts you have not sent", former: "drafts" },
  /** A draft stays listed when its channel is gone, so that its text can still be copied. */
  entries: ({ state, screen }) =>
    draftsElsewhere(screen).map(({ cid, parentId, text, editingId, updatedAt }): ListEntry => {
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
    }),
  count: ({ screen }) => draftsElsewhere(screen).length,
  open: openComposer,
  answer: openComposer,
  answers: false,
  clear: { hint: words.status.discard, run: discard },
  acrossChannels: true,
});
