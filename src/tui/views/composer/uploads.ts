/** Removes attached files and previews of links, and retries failed uploads. */
import type { Upload } from "../../../core/core.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, openPicker, showNotice } from "../../screen/notices.ts";

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

/** The message is sent without the preview of this link (R-LINK-5). */
export const removePreview = ({ boxes }: Pick<Ports, "boxes">, url: string): void =>
  boxes.change(({ links }) => links.dismiss(url));

const failedOf = ({ boxes }: UploadPorts): Upload[] =>
  boxes.at().uploads.filter(({ state }) => state === "failed");

export function chooseFileToRemove(ports: UploadPorts): void {
  const { carried, uploads, previews, editing } = ports.boxes.at();
  const links = editing ? [] : previews.filter(({ status }) => status !== "dismissed");
  const choice = (label: string, file: string | Attachment): Choice => ({
    label: cleanLine(label),
    choose: () => removeFile(ports, file),
  });
  const choices = [
    ...carried.map((file) => choice(file.title ?? file.type ?? words.attachment.file, file)),
    ...uploads.map(({ name, localId }) => choice(name, localId)),
    ...links.map(({ url, attachment }) => ({
      label: cleanLine(attachment?.title ?? url),
      detail: words.links.preview,
      choose: () => removePreview(ports, url),
    })),
  ];
  const [first, ...more] = choices;
  if (!first) return showNotice(ports, words.files.noUpload);
  if (more.length === 0) return first.choose?.();
  openPicker(ports, { title: words.files.takeOff, selected: more.length, choices });
}

/** Retries the failed upload; with several, opens a list that begins with all of them. */
export function chooseUploadToRetry(ports: UploadPorts): void {
  const failed = failedOf(ports);
  const retryAll = (): void => failedOf(ports).forEach(({ localId }) => retryUpload(ports, localId));
  if (failed.length === 0) return showNotice(ports, words.files.noneFailed);
  if (failed.length === 1) return retryAll();
  const choices = failed.map(({ name, localId }) => ({
    label: cleanLine(name),
    choose: () => retryUpload(ports, localId),
  }));
  const all = { label: words.files.retryAll(failed.length), choose: retryAll };
  openPicker(ports, { title: words.files.retryWhich, choices: [all, ...choices] });
}
