/** Builds zip files for tests, also with wrong sizes in their headers. */
import { crc32, deflateRawSync } from "node:zlib";

export interface Packed {
  name: string;
  content: string | Uint8Array;
  /** The size that the headers claim instead of the real one. */
  claims?: number;
  /** Sets bit 0 of the flags: the entry claims to be encrypted. */
  encrypted?: true;
}

/** The fields that the local header and the central directory share. */
function fields({ content, claims, encrypted, name }: Packed, packed: Uint8Array): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(encrypted ? 1 : 0, 2);
  head.writeUInt16LE(8, 4);
  head.writeUInt32LE(crc32(bytes), 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(claims ?? bytes.length, 18);
  head.writeUInt16LE(Buffer.byteLength(name), 22);
  return head;
}

export function zipOf(entries: readonly Packed[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const packed = deflateRawSync(entry.content);
    const common = fields(entry, packed);
    const name = Buffer.from(entry.name);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, packed]);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, where, name]));
    files.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, listed, end]);
}

export const json = (name: string, value: unknown): Packed => ({ name, content: JSON.stringify(value) });
