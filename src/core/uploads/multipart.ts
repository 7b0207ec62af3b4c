/** Builds a multipart body of known length, so that progress has a total (specification/attachments.md §2). */
import type { UploadSource } from "../base/ports.ts";

interface Multipart {
  contentType: string;
  length: number;
  open(): AsyncIterable<Uint8Array>;
}

/** Escaped as in HTML forms; other characters stay UTF-8. */
const quoted = (text: string): string =>
  text.replace(/[\r\n"]/g, (c) => (c === '"' ? "%22" : c === "\r" ? "%0D" : "%0A"));

/** Only a plain MIME type, so that nothing can inject header lines. */
const safeType = (type: string | undefined): string =>
  type && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream";

/** `boundary` must not occur in the file: a fresh uuid. */
export function multipart(source: UploadSource, boundary: string): Multipart {
  const mark = `----parley${boundary}`;
  let head = `--${mark}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(source.name)}"\r\n`;
  head += `Content-Type: ${safeType(source.mimeType)}\r\n\r\n`;
  const encoder = new TextEncoder();
  const before = encoder.encode(head);
  const after = encoder.encode(`\r\n--${mark}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${mark}`,
    length: before.length + source.size + after.length,
    async *open() {
      yield before;
      yield* source.open();
      yield after;
    },
  };
}
