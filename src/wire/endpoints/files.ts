/** Endpoints of uploads and link previews. */
import type { Attachment, UploadedFile } from "../attachment.ts";
import { row } from "./row.ts";
import type { ChannelPath } from "./row.ts";

type Uploads = { upload_sizes?: string };

export const filesEndpoints = {
  uploadChannelFile: row<ChannelPath, object, Uploads, UploadedFile>(
    "UploadFile",
    "POST",
    "/channels/{type}/{id}/file",
    { multipart: true, perMinute: 1000, idempotent: true },
  ),
  uploadChannelImage: row<ChannelPath, object, Uploads, UploadedFile>(
    "UploadImage",
    "POST",
    "/channels/{type}/{id}/image",
    { multipart: true, perMinute: 1000, idempotent: true },
  ),
  deleteChannelFile: row<ChannelPath, { url: string; user_id?: string }>(
    "DeleteFile",
    "DELETE",
    "/channels/{type}/{id}/file",
    { perMinute: 60 },
  ),
  deleteChannelImage: row<ChannelPath, { url: string; user_id?: string }>(
    "DeleteFile",
    "DELETE",
    "/channels/{type}/{id}/image",
    { perMinute: 60 },
  ),
  uploadFile: row<object, object, Uploads, UploadedFile>("UploadFile", "POST", "/uploads/file", {
    multipart: true,
    perMinute: 1000,
    idempotent: true,
  }),
  uploadImage: row<object, object, Uploads, UploadedFile>("UploadImage", "POST", "/uploads/image", {
    multipart: true,
    perMinute: 1000,
    idempotent: true,
  }),
  deleteFile: row<object, { url: string; user_id?: string }>("DeleteFile", "DELETE", "/uploads/file", {
    perMinute: 60,
  }),
  deleteImage: row<object, { url: string; user_id?: string }>("DeleteFile", "DELETE", "/uploads/image", {
    perMinute: 60,
  }),
  /** A page's own words and picture, as an attachment that can be sent (specification/attachments.md §6). */
  getOG: row<object, { url: string; user_id?: string }, undefined, Attachment>("GetOG", "GET", "/og"),
} as const;
