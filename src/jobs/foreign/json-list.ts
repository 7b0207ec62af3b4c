/** Cuts the elements out of a stream that holds one JSON array, each within bounds, so that memory holds one element at a time. */
import { parseBounded } from "../../wire/bounded-json.ts";

/** Bytes of one element; the largest messages of other services have some hundred thousand. */
const MAX_ELEMENT = 4 * 1024 * 1024;
/** A list with more elements is no list of messages or people. */
const MAX_ELEMENTS = 500_000;

/** An element, or why there is none. */
export type ListElement = { value: unknown } | { problem: string };

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Blanks, and the bytes of a byte order mark. */
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

type Place = "before" | "between" | "element" | "after" | "no list";

class ListCutter {
  place: Place = "before";
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;
  /** Pieces of the element that goes on in the next bytes. */
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** The elements that end in `bytes`; undefined for one that is too long. */
  *push(bytes: Uint8Array): Generator<string | undefined> {
    let from = 0;
    for (let i = 0; i < bytes.length; i++) {
      if (this.place !== "element") {
        if (!this.#enters(bytes[i]!)) continue;
        from = i;
      }
      if (!this.#endsElement(bytes[i]!)) continue;
      this.#keep(bytes.subarray(from, i));
      yield this.take();
      this.place = bytes[i] === COMMA ? "between" : "after";
    }
    if (this.place === "element") this.#keep(bytes.subarray(from));
  }

  /** The element so far; undefined if it is too long. */
  take(): string | undefined {
    const text = this.#length > MAX_ELEMENT ? undefined : Buffer.concat(this.#pieces).toString("utf8").trim();
    this.#pieces = [];
    this.#length = 0;
    return text;
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > MAX_ELEMENT) this.#pieces = [];
    else this.#pieces.push(bytes);
  }

  /** Moves on at a byte outside of elements; whether an element begins with it. */
  #enters(byte: number): boolean {
    if (BLANK.has(byte) || this.place === "after" || this.place === "no list") return false;
    if (this.place === "before") this.place = byte === OPEN_LIST ? "between" : "no list";
    else if (byte === CLOSE_LIST) this.place = "after";
    else if (byte !== COMMA) this.place = "element";
    return this.place === "element";
  }

  /** Whether the byte belongs to the list and no longer to the element. */
  #endsElement(byte: number): boolean {
    if (this.#isQuoted) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isQuoted = false;
    } else if (byte === QUOTE) this.#isQuoted = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (this.#depth === 0) return true;
      this.#depth--;
    } else if (byte === COMMA) return this.#depth === 0;
    return false;
  }
}

/** The list has too many elements. */
export class EndlessList extends Error {}

const elementOf = (text: string | undefined): ListElement => {
  if (text === undefined) return { problem: `longer than ${MAX_ELEMENT / 2 ** 20} MiB` };
  const value = parseBounded(text, "item");
  return value === undefined ? { problem: "not valid JSON, or beyond the bounds of an element" } : { value };
};

/** Yields the elements of each piece of the stream together; an empty stream is an empty list. Throws `EndlessList`. */
export async function* listElements(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ListElement[]> {
  const cutter = new ListCutter();
  let found = 0;
  for await (const piece of bytes) {
    const elements = [...cutter.push(piece)].map(elementOf);
    found += elements.length;
    if (found > MAX_ELEMENTS) throw new EndlessList();
    yield elements;
  }
  if (cutter.place === "no list") yield [{ problem: "not a list" }];
  if (cutter.place === "element") yield [{ problem: "cut in the middle" }];
  else if (cutter.place === "between") yield [{ problem: "without its end" }];
}
