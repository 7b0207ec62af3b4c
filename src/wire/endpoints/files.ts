/** Endpoints of uploads and link previews. */
import type { Attachment, UploadedFile } from "../entities/attachment.ts";
import { withOperations, row, type ChannelPath } from "./row.ts";

type Uploads = { upload_sizes?: string };

export const filesEndpoints = withOperations({
  uploadChannelFile: row<UploadedFile, Uploads, ChannelPath>("POST /channels/{type}/{id}/file", {
    op: "UploadFile",
    multipart: true,
    perMinute: 1000,
    idempotent: true,
  }),
  uploadChannelImage: row<UploadedFile, Uploads, ChannelPath>("POST /channels/{type}/{id}/image", {
    op: "UploadImage",
    multipart: true,
    perMinute: 1000,
    idempotent: true,
  }),
  deleteChannelFile: row<object, undefined, ChannelPath, { url: string; user_id?: string }>(
    "DELETE /channels/{type}/{id}/file",
    { op: "DeleteFile", perMinute: 60 },
  ),
  deleteChannelImage: row<object, undefined, ChannelPath, { url: string; user_id?: string }>(
    "DELETE /channels/{type}/{id}/image",
    { op: "DeleteFile", perMinute: 60 },
  ),
  uploadFile: row<UploadedFile, Uploads>("POST /uploads/file", {
    multipart: true,
    perMinute: 1000,
    idempotent: true,
  }),
  uploadImage: row<UploadedFile, Uploads>("POST /uploads/image", {
    multipart: true,
    perMinute: 1000,
    idempotent: true,
  }),
  deleteFile: row<object, undefined, object, { url: string; user_id?: string }>("DELETE /uploads/file", {
    perMinute: 60,
  }),
  deleteImage: row<object, undefined, object, { url: string; user_id?: string }>("DELETE /uploads/image", {
    op: "DeleteFile",
    perMinute: 60,
  }),
  /** The preview of a page, as an attachment that can be sent (specification/attachments.md §6). */
  getOG: row<Attachment, undefined, object, { url: string; user_id?: string }>("GET /og"),
});
