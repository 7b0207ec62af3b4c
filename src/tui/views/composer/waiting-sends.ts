/** Sends what Enter was pressed for during an upload, once its files are there (R-SEND-15). */
import { words } from "../../../text/words.ts";
import type { ThreadRef } from "../../../model/state.ts";
import type { Ports } from "../../ports/ports.ts";
import { placeKey } from "../../screen/place-key.ts";
import { EMPTY_BOX, isEmptyBox, type ComposerBox } from "../../screen/composer.ts";
import type { WaitingSend } from "../../screen/screen.ts";
import { showNotice } from "../../screen/notices.ts";

type WaitingPorts = Pick<Ports, "store" | "boxes" | "core">;

const idsOf = ({ uploads }: ComposerBox): string[] => uploads.map(({ localId }) => localId);

/** Begins the uploads of a message that are held, and waits for all; false when none is running. */
export function waitForUploads({ store, boxes }: WaitingPorts, place: ThreadRef, send: () => void): boolean {
  boxes.change(({ attachments }) => attachments.start(), place);
  const box = boxes.at(place);
  if (!box.uploads.some(({ state }) => state === "pending" || state === "uploading")) return false;
  const waiting: WaitingSend = {
    text: box.editor.text,
    files: idsOf(box),
    onlyFor: box.onlyFor,
    send,
  };
  store.update((s) => ({ ...s, waitingSends: new Map(s.waitingSends).set(placeKey(place), waiting) }));
  return true;
}

/** What becomes of a message that waits: a change of it or a failed upload leaves it in the box. */
function stateOf(
  box: ComposerBox,
  { text, files, onlyFor }: WaitingSend,
): "waits" | "uploaded" | "changed" | "failed" {
  const isSame = box.editor.text === text && !box.editing && idsOf(box).join(" ") === files.join(" ");
  if (!isSame || box.onlyFor !== onlyFor) return "changed";
  if (box.uploads.some(({ state }) => state === "failed" || state === "blocked")) return "failed";
  return box.uploads.every(({ state }) => state === "finished") ? "uploaded" : "waits";
}

/** Called after every change of the model. */
export function sendUploaded(ports: WaitingPorts): void {
  const { store } = ports;
  for (const [key, waiting] of store.screen.waitingSends) {
    const box = store.screen.composers.get(key) ?? EMPTY_BOX;
    const state = stateOf(box, waiting);
    if (state === "waits") continue;
    const rest = new Map(store.screen.waitingSends);
    rest.delete(key);
    store.update((s) => ({ ...s, waitingSends: rest }), false);
    if (state === "uploaded") waiting.send();
    else if (state === "changed" && !isEmptyBox(box)) showNotice(ports, words.files.changed);
  }
}
