/** Decodes text from a stream of bytes: UTF-8, UTF-16 by its mark, else Windows-1252. */

/** How many bytes at the end may begin a character of UTF-8 that is not whole yet. */
const LONGEST = 3;

/** Where the last whole character of UTF-8 ends. */
function wholeEnd(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - LONGEST; at--) {
    const byte = bytes[at]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return at + length > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

/** By the mark at the beginning; without one it is UTF-8 as far as it holds. */
function marked([a, b]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : undefined;
}

/** A character that only UTF-8 can have brought: neither ASCII nor the sign for what was broken. */
const UNICODE = /[^\u0000-\u007f\ufffd]/;

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
};

/** UTF-8 until a byte is none of it; if everything before was ASCII, the rest is Latin-1, else single bytes are replaced. */
class Bytes {
  #rest: Uint8Array = new Uint8Array();
  #other: TextDecoder | undefined;
  #plain = true;
  #begun = false;

  take(piece: Uint8Array, last = false): string {
    const bytes = joined(this.#rest, piece);
    this.#rest = new Uint8Array();
    if (!this.#begun && bytes.length < 2 && !last) {
      this.#rest = bytes;
      return "";
    }
    const mark = this.#begun ? undefined : marked(bytes);
    this.#begun = true;
    if (mark !== undefined) this.#other = new TextDecoder(mark);
    if (this.#other) return this.#other.decode(bytes, { stream: !last });
    const end = last ? bytes.length : wholeEnd(bytes);
    const whole = bytes.subarray(0, end);
    this.#rest = bytes.slice(end);
    return this.#utf8(whole);
  }

  #utf8(bytes: Uint8Array): string {
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      this.#plain &&= text.length === bytes.length;
      return text;
    } catch {
      const mended = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      this.#plain &&= !UNICODE.test(mended);
      if (!this.#plain) return mended;
      this.#other = new TextDecoder("windows-1252");
      const all = joined(bytes, this.#rest);
      this.#rest = new Uint8Array();
      return this.#other.decode(all, { stream: true });
    }
  }
}

/** Pieces that are text already pass as they are. */
export async function* decoded(pieces: AsyncIterable<Uint8Array | string>): AsyncIterable<string> {
  const bytes = new Bytes();
  for await (const piece of pieces) {
    const text = typeof piece === "string" ? piece : bytes.take(piece);
    if (text !== "") yield text;
  }
  const end = bytes.take(new Uint8Array(), true);
  if (end !== "") yield end;
}
