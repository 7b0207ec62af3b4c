/** Checks files against an app's upload rules, for the client and the provider (specification/attachments.md §5). */
import type { BlockReason, UploadConfig } from "./entities/attachment.ts";
import { DEFAULT_UPLOAD_SIZE_LIMIT } from "./constants.ts";

/** The upload rules of an app without configuration. */
export const noUploadRules = (): Required<UploadConfig> => ({
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
  size_limit: 0,
});

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
    const pattern = entry.trim().toLowerCase();
    return pattern.endsWith("/*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
  });

/** The first rule that refuses the file, in the order of the specification, or undefined. */
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
export const IMAGE_TYPES: ReadonlySet<string> = new Set(
  ["bmp", "gif", "jpeg", "png", "webp", "heic", "heic-sequence", "heif", "heif-sequence", "svg+xml"].map(
    (subtype) => `image/${subtype}`,
  ),
);
