/** What may be uploaded: clean names, image types, and the app's upload configuration (UP-2 to UP-4). */
import type { UploadConfig } from "../../wire/entities/attachment.ts";
import { DEFAULT_UPLOAD_SIZE_LIMIT } from "../../wire/constants.ts";
import { extensionOf, IMAGE_TYPES, uploadBlock } from "../../wire/upload-rules.ts";
import { imageSize } from "image-size";
import mime from "mime-types";
import { invalidField } from "../base/problems.ts";

const NAME_BYTES = 255;
const IMAGE_EXTENSIONS = new Set(["bmp", "gif", "jpg", "jpeg", "jpe", "png", "webp", "heic", "heif", "svg"]);
const GENERIC = "application/octet-stream";

/** Basename only, no control or format characters and no separators, at most 255 bytes with the extension kept; `file` for nothing. */
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

/** `type/subtype` in lower case without parameters; the generic type for what is none. */
export function cleanMimeType(type: string | undefined): string {
  const plain = (type ?? "").split(";")[0]!.trim().toLowerCase();
  return /^[\w.+-]{1,64}\/[\w.+-]{1,128}$/.test(plain) ? plain : GENERIC;
}

/** The declared type; of a file that came with none, what its first bytes say, else what its name says. */
export function judgedType(name: string, declared: string | undefined, head: Uint8Array): string {
  if (declared !== undefined) return cleanMimeType(declared);
  return pictureType(head) ?? cleanMimeType(mime.lookup(name) || undefined);
}

/** By the first bytes; an SVG is a text and is told by its name. */
function pictureType(head: Uint8Array): string | undefined {
  try {
    const { type } = imageSize(head);
    const full = `image/${type === "jpg" ? "jpeg" : type}`;
    return type !== "svg" && IMAGE_TYPES.has(full) ? full : undefined;
  } catch {
    return undefined;
  }
}

/** UP-3: by declared type, or by extension when no type was declared. */
export function isImageUpload(name: string, mimeType: string): boolean {
  return IMAGE_TYPES.has(mimeType) || (mimeType === GENERIC && IMAGE_EXTENSIONS.has(extensionOf(name)));
}

/** What a browser shows by itself and cannot run anything in; an SVG is a document. */
export const isMedia = (mimeType: string): boolean =>
  /^(?:image|video|audio)\//.test(mimeType) && mimeType !== "image/svg+xml";

/** Bytes an upload may have; never above 100 MiB. */
export function sizeLimit(config: UploadConfig): number {
  return Math.min(config.size_limit || DEFAULT_UPLOAD_SIZE_LIMIT, DEFAULT_UPLOAD_SIZE_LIMIT);
}

/** UP-2: throws code 4 with the name of the first rule that refuses; the size is counted while the file comes in. */
export function checkConfig(config: UploadConfig, name: string, mimeType: string): void {
  const rule = uploadBlock(config, { name, mimeType: mimeType === GENERIC ? undefined : mimeType });
  if (rule !== undefined) throw invalidField("file", rule, `the upload was refused by ${rule}`);
}
