/** Removes attached files, and retries failed uploads. */
import type { Upload } from "../../../core/core.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, showNotice, openPicker } from "../../screen/notices.ts";

type UploadPorts = Pick<Ports, "core" | "store" | "boxes">;

/** Removes an attachment, or an upload, which that cancels (R-ATT-6). */
export function removeFile({ boxes }: UploadPorts, file: string | Attachment): void {
  boxes.change((composer) => {
    if (typeof file === "string") composer.attachments.remove(file);
    else composer.drop(file);
  });
}

export function retryUpload(ports: UploadPorts, localId: string): void {
  const { place } = ports.boxes;
  if (place) attempt(ports, ports.boxes.composer(place).attachments.retry(localId));
}

/** The choice that stands for all failed uploads. */
const ALL = "";

const failedOf = ({ boxes }: UploadPorts): Upload[] =>
  boxes.at().uploads.filter(({ state }) => state === "failed");

const choiceOf = (upload: Upload): Choice => ({ label: cleanLine(upload.name), value: upload.localId });

/** `value`: the local id of an upload, the index of a draft's attachment, or {@link ALL}. */
export function onFileChosen(ports: UploadPorts, name: "takeOff" | "retry", value: string): void {
  if (name === "retry") {
    const localIds = value === ALL ? failedOf(ports).map(({ localId }) => localId) : [value];
    return localIds.forEach((localId) => retryUpload(ports, localId));
  }
  const attachment = ports.boxes.at().carried[Number(value)];
  removeFile(ports, attachment ?? value);
}

export function chooseFileToRemove(ports: UploadPorts): void {
  const { carried, uploads } = ports.boxes.at();
  const choices = [
    ...carried.map(({ title, type }, i) => ({
      label: cleanLine(title ?? type ?? words.attachment.file),
      value: String(i),
    })),
    ...uploads.map(choiceOf),
  ];
  if (choices.length === 0) return showNotice(ports, words.files.noUpload);
  if (choices.length === 1) return onFileChosen(ports, "takeOff", choices[0]!.value);
  const selected = choices.length - 1;
  openPicker(ports, { name: "takeOff", title: words.files.takeOff, selected, choices });
}

/** Retries the failed upload; with several, opens a list that begins with all of them. */
export function chooseUploadToRetry(ports: UploadPorts): void {
  const failed = failedOf(ports);
  if (failed.length === 0) return showNotice(ports, words.files.noneFailed);
  if (failed.length === 1) return retryUpload(ports, failed[0]!.localId);
  const choices = [{ label: words.files.retryAll(failed.length), value: ALL }, ...failed.map(choiceOf)];
  openPicker(ports, { name: "retry", title: words.files.retryWhich, choices });
}
