/** Decodes text from a stream of bytes: UTF-8, UTF-16 by its mark, else Windows-1252. */

/** How many bytes at the end may belong to an incomplete UTF-8 character. */
const MAX_PARTIAL = 3;

/** The end of the last complete UTF-8 character. */
function completeEnd(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - MAX_PARTIAL; at--) {
    const byte = bytes[at]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return at + length > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

/** The encoding of a UTF-16 byte order mark. */
function encodingOfMark([a, b]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : undefined;
}

/** A character that proves valid UTF-8: neither ASCII nor the replacement character. */
const UNICODE = /[^\u0000-\u007f\ufffd]/;

const concat = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
};

/** Decodes UTF-8 until the first invalid byte. If everything before was ASCII, the rest is decoded as Windows-1252; else invalid bytes are replaced. */
class ByteDecoder {
  /** Bytes of an incomplete character. */
  #pending: Uint8Array = new Uint8Array();
  /** The decoder once the text turned out not to be UTF-8. */
  #fallback: TextDecoder | undefined;
  #isAscii = true;
  #hasStarted = false;

  decode(chunk: Uint8Array, last = false): string {
    const bytes = concat(this.#pending, chunk);
    this.#pending = new Uint8Array();
    if (!this.#hasStarted && bytes.length < 2 && !last) {
      this.#pending = bytes;
      return "";
    }
    const mark = this.#hasStarted ? undefined : encodingOfMark(bytes);
    this.#hasStarted = true;
    if (mark !== undefined) this.#fallback = new TextDecoder(mark);
    if (this.#fallback) return this.#fallback.decode(bytes, { stream: !last });
    const end = last ? bytes.length : completeEnd(bytes);
    const complete = bytes.subarray(0, end);
    this.#pending = bytes.slice(end);
    return this.#utf8(complete);
  }

  #utf8(bytes: Uint8Array): string {
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      this.#isAscii &&= text.length === bytes.length;
      return text;
    } catch {
      const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      this.#isAscii &&= !UNICODE.test(decoded);
      if (!this.#isAscii) return decoded;
      this.#fallback = new TextDecoder("windows-1252");
      const all = concat(bytes, this.#pending);
      this.#pending = new Uint8Array();
      return this.#fallback.decode(all, { stream: true });
    }
  }
}

/** Decodes a stream of bytes; pieces that are text already are passed through. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array | string>): AsyncIterable<string> {
  const bytes = new ByteDecoder();
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : bytes.decode(chunk);
    if (text !== "") yield text;
  }
  const end = bytes.decode(new Uint8Array(), true);
  if (end !== "") yield end;
}
