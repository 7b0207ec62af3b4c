/** The attachment type of a file (specification/attachments.md §4). */
import type { Attachment } from "../../wire/entities/attachment.ts";
import { IMAGE_TYPES } from "../../wire/upload-rules.ts";

export function isImage(mimeType: string | undefined): boolean {
  return IMAGE_TYPES.has(mimeType?.toLowerCase() ?? "");
}

export function attachmentKind(mimeType: string | undefined): NonNullable<Attachment["type"]> {
  if (isImage(mimeType)) return "image";
  if (mimeType?.startsWith("video/")) return "video";
  if (mimeType?.startsWith("audio/")) return "audio";
  return "file";
}

/** The attachment of an uploaded file. */
export function finishedAttachment(
  pending: Attachment,
  answer: { file: string; thumb_url?: string },
): Attachment {
  return {
    ...pending,
    ...(pending.type === "image" ? { image_url: answer.file } : { asset_url: answer.file }),
    ...(answer.thumb_url && { thumb_url: answer.thumb_url }),
  };
}
