/** Removes files from the message, and retries failed uploads. */
import type { Upload } from "../../../core/core.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, showNotice, openPicker } from "../../screen/notices.ts";

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

/** Stands for all that failed. */
const ALL = "";

const failedOf = ({ boxes }: Needs): Upload[] => boxes.at().uploads.filter(({ state }) => state === "failed");

const choiceOf = (upload: Upload): Choice => ({ label: cleanLine(upload.name), value: upload.localId });

/** One is done with at once, of several the line was chosen; attachments of a draft have a number. */
export function chosenUpload(ports: Needs, name: "takeOff" | "retry", value: string): void {
  if (name === "retry") {
    const again = value === ALL ? failedOf(ports).map(({ localId }) => localId) : [value];
    return again.forEach((localId) => retry(ports, localId));
  }
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
  if (choices.length === 0) return showNotice(ports, words.files.noUpload);
  if (choices.length === 1) return chosenUpload(ports, "takeOff", choices[0]!.value);
  const selected = choices.length - 1;
  openPicker(ports, { name: "takeOff", title: words.files.takeOff, selected, choices });
}

/** What failed together, as when the line breaks, is mostly tried again together. */
export function retryOne(ports: Needs): void {
  const failed = failedOf(ports);
  if (failed.length === 0) return showNotice(ports, words.files.noneFailed);
  if (failed.length === 1) return retry(ports, failed[0]!.localId);
  const choices = [{ label: words.files.retryAll(failed.length), value: ALL }, ...failed.map(choiceOf)];
  openPicker(ports, { name: "retry", title: words.files.retryWhich, choices });
}
