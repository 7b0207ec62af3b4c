/** Attachments, and the upload rules of an app (specification/attachments.md §4–5). */
import {
  any,
  choice,
  entity,
  flag,
  known,
  list,
  map,
  need,
  number,
  object,
  shape,
  text,
  whole,
  type Infer,
} from "./fields.ts";

export const AttachmentAction = shape(() => ({
  name: need(text()),
  text: need(text()),
  type: need(text()),
  style: text(),
  value: text(),
}));
export interface AttachmentAction extends Infer<typeof AttachmentAction> {}

/** All fields optional but `type` in practice; unknown keys are kept. */
export const Attachment = shape(() => ({
  type: known("image", "video", "audio", "file", "voiceRecording", "giphy"),
  title: text(),
  title_link: text(),
  og_scrape_url: text(),
  text: text(),
  author_name: text(),
  author_link: text(),
  author_icon: text(),
  image_url: text(),
  asset_url: text(),
  thumb_url: text(),
  mime_type: text(),
  file_size: whole(),
  original_width: whole(),
  original_height: whole(),
  /** Seconds of media; never the `duration` of an upload answer. */
  duration: number(),
  waveform_data: list(number()),
  fallback: text(),
  pretext: text(),
  color: text(),
  footer: text(),
  footer_icon: text(),
  actions: list(entity("AttachmentAction")),
  fields: list(object({ title: need(text()), value: need(text()), short: need(flag()) })),
  giphy: map(any()),
}));
export interface Attachment extends Infer<typeof Attachment> {}

/** The metadata of a page: the answer of `GET /og`, and the attachment made from it (specification/attachments.md §6). */
export interface LinkPreview {
  /** The requested address. */
  og_scrape_url: string;
  type?: "image" | "video" | "audio";
  title?: string;
  title_link?: string;
  text?: string;
  author_name?: string;
  author_link?: string;
  image_url?: string;
  thumb_url?: string;
  asset_url?: string;
}

/** A requested or produced size of an uploaded image; pixels. */
export const UploadSize = shape(() => ({
  width: whole(),
  height: whole(),
  resize: choice("clip", "crop", "scale", "fill"),
  crop: choice("top", "bottom", "left", "right", "center"),
}));

export interface UploadSize extends Infer<typeof UploadSize> {}

export const UploadConfig = shape(() => ({
  allowed_file_extensions: list(text(), 500),
  blocked_file_extensions: list(text(), 500),
  allowed_mime_types: list(text(), 500),
  blocked_mime_types: list(text(), 500),
  /** Bytes; 0 or absent = DEFAULT_UPLOAD_SIZE_LIMIT. */
  size_limit: whole(0),
}));
export interface UploadConfig extends Infer<typeof UploadConfig> {}

export type BlockReason =
  | "allowed_file_extensions"
  | "blocked_file_extensions"
  | "allowed_mime_types"
  | "blocked_mime_types"
  | "size_limit";

export const UploadedFile = shape(() => ({
  /** Goes to `image_url` (image) or `asset_url` (anything else). */
  file: need(text()),
  thumb_url: text(),
  /** The sizes that were produced. */
  upload_sizes: list(entity("UploadSize")),
  /** Time the request took, never a media length. */
  duration: need(text()),
}));
export interface UploadedFile extends Infer<typeof UploadedFile> {}
