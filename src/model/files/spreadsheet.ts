/** Recognizes spreadsheets and zips where text is expected, by the first bytes of a file. */
import { open } from "node:fs/promises";

const HEAD_BYTES = 4096;

/** What a file is that is no text. */
export interface FileKind {
  /** `an Excel spreadsheet (xlsx)`, `a zip` */
  name: string;
  /** A zip of other files than a spreadsheet's. */
  isZip?: true;
}

/** The kind of a file that is a spreadsheet or a zip. Throws what opening the file throws. */
export async function spreadsheetIn(file: string): Promise<FileKind | undefined> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return spreadsheetKind(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** The first bytes of an xls after they were decoded as UTF-8. */
const XLS_AS_TEXT = "\uFFFD\uFFFD\u0011\u0871";

const startsWith = (head: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, i) => head[i] === byte);

/** `head`: the first 4 kB; `text`: the same decoded, where only that is known. Undefined for anything but spreadsheets and zips. */
export function spreadsheetKind(head: Uint8Array, text = ""): FileKind | undefined {
  if (startsWith(head, [0xd0, 0xcf, 0x11, 0xe0]) || text.startsWith(XLS_AS_TEXT))
    return { name: "an Excel spreadsheet (xls)" };
  if (!startsWith(head, [0x50, 0x4b, 0x03, 0x04])) return undefined;
  const names = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  // OpenDocument begins with a file of this name.
  if (names.startsWith("mimetype", 30)) return { name: "an OpenDocument spreadsheet (ods)" };
  return /\[Content_Types\]\.xml|xl\/|_rels\/\.rels|docProps\//.test(names)
    ? { name: "an Excel spreadsheet (xlsx)" }
    : { name: "a zip", isZip: true };
}
