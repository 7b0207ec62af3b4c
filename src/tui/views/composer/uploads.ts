/** Removes files from the message, and retries failed uploads. */
import type { Upload } from "../../../core/core.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/attachment.ts";
import { pickerPushed } from "../../screen/popup.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../screen/ports.ts";
import { attempt, tell } from "../../screen/telling.ts";

type Needs = Pick<Ports, "core" | "store" | "boxes">;

/** An upload is cancelled by it (R-ATT-6). */
export function takeOff({ boxes }: Needs, of: string | Attachment): void {
  boxes.change((composer) => {
    if (typeof of === "string") composer.attachments.remove(of);
    else composer.drop(of);
  });
}

export function retry(ports: Needs, localId: string): void {
  const { place } = ports.boxes;
  if (place) attempt(ports, ports.boxes.composer(place).attachments.retry(localId));
}

/** One is done with at once, of several one is chosen. */
function oneOf(ports: Needs, name: "takeOff" | "retry", choices: readonly Choice[], title: string): void {
  const [first, ...more] = choices;
  if (first && more.length === 0) return chosenUpload(ports, name, first.value);
  ports.store.now((s) => pickerPushed(s, { name, title, selected: choices.length - 1, choices }));
}

const choiceOf = (upload: Upload): Choice => ({ label: cleanLine(upload.name), value: upload.localId });

/** The line that was chosen; attachments of a draft have a number. */
export function chosenUpload(ports: Needs, name: "takeOff" | "retry", value: string): void {
  if (name === "retry") return retry(ports, value);
  const carried = ports.boxes.at().carried[Number(value)];
  takeOff(ports, carried ?? value);
}

export function takeOffOne(ports: Needs): void {
  const { carried, uploads } = ports.boxes.at();
  const choices = [
    ...carried.map(({ title, type }, i) => ({
      label: cleanLine(title ?? type ?? words.attachment.file),
      value: String(i),
    })),
    ...uploads.map(choiceOf),
  ];
  if (choices.length === 0) return tell(ports, words.files.noUpload);
  oneOf(ports, "takeOff", choices, words.files.takeOff);
}

export function retryOne(ports: Needs): void {
  const failed = ports.boxes.at().uploads.filter(({ state }) => state === "failed");
  if (failed.length === 0) return tell(ports, words.files.noneFailed);
  oneOf(ports, "retry", failed.map(choiceOf), words.files.retryWhich);
}
