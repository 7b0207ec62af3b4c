/** Endpoints of uploads and link previews. */
import { Attachment, UploadedFile } from "../entities/attachment.ts";
import { need, text } from "../entities/fields.ts";
import { actAs, row, withOperations } from "./row.ts";

const uploads = { upload_sizes: text() };
/** The address of an uploaded file or of a page. */
const address = { url: need(text()), ...actAs };

export const filesEndpoints = withOperations({
  uploadChannelFile: row("POST /channels/{type}/{id}/file", {
    op: "UploadFile",
    multipart: true,
    perMinute: 1000,
    idempotent: true,
    form: uploads,
    answer: UploadedFile,
  }),
  uploadChannelImage: row("POST /channels/{type}/{id}/image", {
    op: "UploadImage",
    multipart: true,
    perMinute: 1000,
    idempotent: true,
    form: uploads,
    answer: UploadedFile,
  }),
  deleteChannelFile: row("DELETE /channels/{type}/{id}/file", {
    op: "DeleteFile",
    perMinute: 60,
    query: address,
  }),
  deleteChannelImage: row("DELETE /channels/{type}/{id}/image", {
    op: "DeleteFile",
    perMinute: 60,
    query: address,
  }),
  uploadFile: row("POST /uploads/file", {
    multipart: true,
    perMinute: 1000,
    idempotent: true,
    form: uploads,
    answer: UploadedFile,
  }),
  uploadImage: row("POST /uploads/image", {
    multipart: true,
    perMinute: 1000,
    idempotent: true,
    form: uploads,
    answer: UploadedFile,
  }),
  deleteFile: row("DELETE /uploads/file", { perMinute: 60, query: address }),
  deleteImage: row("DELETE /uploads/image", {
    op: "DeleteFile",
    perMinute: 60,
    query: address,
  }),
  /** The preview of a page, as an attachment that can be sent (specification/attachments.md §6). */
  getOG: row("GET /og", { query: address, answer: Attachment }),
});
