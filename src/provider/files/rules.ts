/** Rules of uploads: clean names, image types, and the app's upload configuration (UP-2 to UP-4). */
import type { UploadConfig } from "../../wire/entities/attachment.ts";
import { DEFAULT_UPLOAD_SIZE_LIMIT } from "../../wire/constants.ts";
import { extensionOf, IMAGE_TYPES, uploadBlock } from "../../wire/upload-rules.ts";
import { imageSize } from "image-size";
import mime from "mime-types";
import { invalidField } from "../base/problems.ts";

const NAME_BYTES = 255;
const IMAGE_EXTENSIONS = new Set(["bmp", "gif", "jpg", "jpeg", "jpe", "png", "webp", "heic", "heif", "svg"]);
const GENERIC = "application/octet-stream";

/** The basename without control and format characters, at most 255 bytes including the extension; `file` when nothing is left. */
export function storedFileName(name: string): string {
  const base = name.normalize("NFC").split(/[/\\]/).at(-1)!;
  const clean = base
    .replace(/[\p{C}\u2028\u2029]/gu, "")
    .trim()
    .replace(/^\.+/, "");
  if (!clean) return "file";
  if (Buffer.byteLength(clean) <= NAME_BYTES) return clean;
  const dot = clean.lastIndexOf(".");
  const end = dot > 0 && clean.length - dot <= 16 ? clean.slice(dot) : "";
  let stem = end ? clean.slice(0, dot) : clean;
  while (Buffer.byteLength(stem + end) > NAME_BYTES) stem = [...stem].slice(0, -1).join("");
  return stem + end;
}

/** `type/subtype` in lower case without parameters; the generic type for anything else. */
export function cleanMimeType(type: string | undefined): string {
  const mediaType = (type ?? "").split(";")[0]!.trim().toLowerCase();
  return /^[\w.+-]{1,64}\/[\w.+-]{1,128}$/.test(mediaType) ? mediaType : GENERIC;
}

/** The declared type; without one, the type by the file's first bytes, else by its name. */
export function detectType(name: string, declared: string | undefined, head: Uint8Array): string {
  if (declared !== undefined) return cleanMimeType(declared);
  return imageType(head) ?? cleanMimeType(mime.lookup(name) || undefined);
}

/** The image type by the first bytes. Never SVG, which is text and is recognized by its name. */
function imageType(head: Uint8Array): string | undefined {
  try {
    const { type } = imageSize(head);
    const full = `image/${type === "jpg" ? "jpeg" : type}`;
    return type !== "svg" && IMAGE_TYPES.has(full) ? full : undefined;
  } catch {
    return undefined;
  }
}

/** By declared type, or by extension when no type was declared (UP-3). */
export function isImageUpload(name: string, mimeType: string): boolean {
  return IMAGE_TYPES.has(mimeType) || (mimeType === GENERIC && IMAGE_EXTENSIONS.has(extensionOf(name)));
}

/** Media that a browser shows without running scripts; an SVG is a document and may contain scripts. */
export const isMedia = (mimeType: string): boolean =>
  /^(?:image|video|audio)\//.test(mimeType) && mimeType !== "image/svg+xml";

/** Most bytes of an upload; never above 100 MiB. */
export function sizeLimit(config: UploadConfig): number {
  return Math.min(config.size_limit || DEFAULT_UPLOAD_SIZE_LIMIT, DEFAULT_UPLOAD_SIZE_LIMIT);
}

/** Throws code 4 with the name of the first rule that refuses (UP-2); the size is checked while receiving. */
export function checkConfig(config: UploadConfig, name: string, mimeType: string): void {
  const rule = uploadBlock(config, { name, mimeType: mimeType === GENERIC ? undefined : mimeType });
  if (rule !== undefined) throw invalidField("file", rule, `the upload was refused by ${rule}`);
}
