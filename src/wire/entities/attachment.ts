/** Attachments, and the upload rules of an app (specification/attachments.md §4–5). */

export interface AttachmentAction {
  name: string;
  text: string;
  type: string;
  style?: string;
  value?: string;
}

/** All fields optional but `type` in practice; unknown keys are kept. */
export interface Attachment {
  type?: "image" | "video" | "audio" | "file" | "voiceRecording" | "giphy" | (string & {});
  title?: string;
  title_link?: string;
  og_scrape_url?: string;
  text?: string;
  author_name?: string;
  author_link?: string;
  author_icon?: string;
  image_url?: string;
  asset_url?: string;
  thumb_url?: string;
  mime_type?: string;
  file_size?: number;
  original_width?: number;
  original_height?: number;
  /** Seconds of media; never the `duration` of an upload answer. */
  duration?: number;
  waveform_data?: number[];
  fallback?: string;
  pretext?: string;
  color?: string;
  footer?: string;
  footer_icon?: string;
  actions?: AttachmentAction[];
  fields?: { title: string; value: string; short: boolean }[];
  giphy?: Record<string, unknown>;
}

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
interface UploadSize {
  width?: number;
  height?: number;
  resize?: "clip" | "crop" | "scale" | "fill";
  crop?: "top" | "bottom" | "left" | "right" | "center";
}

export interface UploadConfig {
  allowed_file_extensions?: string[];
  blocked_file_extensions?: string[];
  allowed_mime_types?: string[];
  blocked_mime_types?: string[];
  /** Bytes; 0 or absent = DEFAULT_UPLOAD_SIZE_LIMIT. */
  size_limit?: number;
}

export type BlockReason =
  | "allowed_file_extensions"
  | "blocked_file_extensions"
  | "allowed_mime_types"
  | "blocked_mime_types"
  | "size_limit";

export interface UploadedFile {
  /** Goes to `image_url` (image) or `asset_url` (anything else). */
  file: string;
  thumb_url?: string;
  /** The sizes that were produced. */
  upload_sizes?: UploadSize[];
  /** Time the request took, never a media length. */
  duration: string;
}
