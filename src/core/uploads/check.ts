/** The upload check before any request, and what kind of attachment a file makes (specification/attachments.md §4, §5). */
import type { Attachment, BlockReason, UploadConfig } from "../../wire/attachment.ts";
import { DEFAULT_UPLOAD_SIZE_LIMIT } from "../../wire/constants.ts";

export interface FileFacts {
  name: string;
  /** Bytes; undefined skips the size rule. */
  size?: number | undefined;
  /** Undefined skips the type rules. */
  mimeType?: string | undefined;
}

/** Text after the last dot in lower case, empty without one. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

const hasExtension = (list: readonly string[], extension: string): boolean =>
  list.some((entry) => entry.replace(/^\./, "").toLowerCase() === extension);

/** `type/subtype`, or `type/*` for all of a type. */
const hasType = (list: readonly string[], type: string): boolean =>
  list.some((entry) => {
    const wanted = entry.trim().toLowerCase();
    return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : wanted === type;
  });

/** The first rule that refuses the file, in the order of the specification; undefined when none does. */
export function uploadBlock(config: UploadConfig, file: FileFacts): BlockReason | undefined {
  const extension = extensionOf(file.name);
  const type = file.mimeType?.toLowerCase();
  const allowedExtensions = config.allowed_file_extensions ?? [];
  const allowedTypes = config.allowed_mime_types ?? [];
  if (allowedExtensions.length && !hasExtension(allowedExtensions, extension))
    return "allowed_file_extensions";
  if (extension !== "" && hasExtension(config.blocked_file_extensions ?? [], extension))
    return "blocked_file_extensions";
  if (type !== undefined) {
    if (allowedTypes.length && !hasType(allowedTypes, type)) return "allowed_mime_types";
    if (hasType(config.blocked_mime_types ?? [], type)) return "blocked_mime_types";
  }
  const limit = config.size_limit || DEFAULT_UPLOAD_SIZE_LIMIT;
  return file.size !== undefined && file.size > limit ? "size_limit" : undefined;
}

/** What `/image` accepts (UP-3); other pictures travel as files. */
const IMAGES = new Set(
  ["bmp", "gif", "jpeg", "png", "webp", "heic", "heic-sequence", "heif", "heif-sequence", "svg+xml"].map(
    (subtype) => `image/${subtype}`,
  ),
);

export function isImage(mimeType: string | undefined): boolean {
  return IMAGES.has(mimeType?.toLowerCase() ?? "");
}

export function attachmentKind(mimeType: string | undefined): NonNullable<Attachment["type"]> {
  if (isImage(mimeType)) return "image";
  if (mimeType?.startsWith("video/")) return "video";
  if (mimeType?.startsWith("audio/")) return "audio";
  return "file";
}

/** The attachment of a file that has been uploaded. */
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
