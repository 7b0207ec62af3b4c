/** Cuts a stream of JSON into the members of the containers that are entered, each within bounds, so that memory holds one member at a time. */
import { isExcessive, type BoundsName } from "../../../wire/bounded-json.ts";

/** Bytes of one member; the largest messages of other services have some hundred thousand. */
const MAX_MEMBER = 4 * 1024 * 1024;

/** Bytes of one line; a line of some exports is a message with all its replies. */
const MAX_LINE = 64 * 1024 * 1024;

/** A member of an entered container, the beginning of one, or why there is nothing. */
type JsonPart =
  | { path: string; key: string; value: unknown }
  | { path: string; opened: "list" | "object" }
  | { path: string; problem: string };

interface CutOptions {
  /** Whether the members of a container are wanted one by one. `path`: its keys joined by `/`, `*` for the elements of a list. */
  enter(path: string): boolean;
  /** Mends the text of a member before it is parsed. */
  mend?(text: string): string;
  bounds?: BoundsName;
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Blanks, and the bytes of a byte order mark. */
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
/** Containers that are entered within each other. */
const MAX_ENTERED = 16;

const INVALID = "not valid JSON, or beyond the bounds of an element";

/** The value of a JSON text, or the problem with it. */
function valueOf(
  text: string,
  { mend, bounds = "item" }: Pick<CutOptions, "mend" | "bounds"> = {},
): { value: unknown } | { problem: string } {
  if (isExcessive(text, bounds)) return { problem: INVALID };
  try {
    return { value: JSON.parse(mend ? mend(text) : text) };
  } catch {
    return { problem: INVALID };
  }
}

interface Frame {
  path: string;
  isList: boolean;
  /** The key whose value comes next. */
  key?: string | undefined;
}

class JsonCutter {
  readonly #options: CutOptions;
  readonly #frames: Frame[] = [];
  #place: "before" | "between" | "member" | "after" = "before";
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;
  /** Pieces of the member that goes on in the next bytes. */
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(options: CutOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#place === "after";
  }

  push(bytes: Uint8Array): JsonPart[] {
    const parts: JsonPart[] = [];
    let from = 0;
    for (let i = 0; i < bytes.length && this.#place !== "after"; i++) {
      const byte = bytes[i]!;
      if (this.#place === "member") {
        if (!this.#endsMember(byte)) continue;
        this.#keep(bytes.subarray(from, i));
        this.#place = "between";
        const part = this.#member(byte);
        if (part) parts.push(part);
      }
      if (!this.#begins(byte, parts)) continue;
      from = i;
      this.#endsMember(byte);
    }
    if (this.#place === "member") this.#keep(bytes.subarray(from));
    return parts;
  }

  /** What is missing at the end of the stream. */
  *end(): Generator<JsonPart> {
    const path = this.#frames.at(-1)?.path ?? "";
    if (this.#place === "member") yield { path, problem: "cut in the middle" };
    else if (this.#place === "between") yield { path, problem: "without its end" };
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > MAX_MEMBER) this.#pieces = [];
    else this.#pieces.push(bytes);
  }

  /** Moves on at a byte between members; whether a member or a key begins with it. */
  #begins(byte: number, parts: JsonPart[]): boolean {
    if (BLANK.has(byte) || this.#place === "after") return false;
    const frame = this.#frames.at(-1);
    if (frame && (byte === CLOSE_LIST || byte === CLOSE_OBJECT)) {
      this.#frames.pop();
      this.#place = this.#frames.length === 0 ? "after" : "between";
      return false;
    }
    if (frame && (byte === COMMA || byte === COLON)) return false;
    const isContainer = byte === OPEN_LIST || byte === OPEN_OBJECT;
    if (isContainer && this.#enters(frame, byte === OPEN_LIST, parts)) return false;
    if (frame) this.#place = "member";
    else {
      this.#place = "after";
      parts.push({ path: "", problem: "neither a list nor an object" });
    }
    return frame !== undefined;
  }

  #enters(frame: Frame | undefined, isList: boolean, parts: JsonPart[]): boolean {
    if (frame && !frame.isList && frame.key === undefined) return false;
    const path = frame ? pathIn(frame) : "";
    if (frame && (this.#frames.length >= MAX_ENTERED || !this.#options.enter(path))) return false;
    if (frame) frame.key = undefined;
    this.#frames.push({ path, isList });
    this.#place = "between";
    parts.push({ path, opened: isList ? "list" : "object" });
    return true;
  }

  /** Whether the byte belongs to the container and no longer to the member. */
  #endsMember(byte: number): boolean {
    if (this.#isQuoted) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isQuoted = false;
    } else if (byte === QUOTE) this.#isQuoted = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (this.#depth === 0) return true;
      this.#depth--;
    } else if (byte === COMMA || byte === COLON) return this.#depth === 0;
    return false;
  }

  /** The member that ends before `byte`; undefined for a key. */
  #member(byte: number): JsonPart | undefined {
    const frame = this.#frames.at(-1)!;
    const found = this.#take();
    if (byte === COLON && !frame.isList && "value" in found && typeof found.value === "string") {
      frame.key = found.value;
      return undefined;
    }
    const { path } = frame;
    const key = frame.isList ? "*" : frame.key;
    frame.key = undefined;
    if ("problem" in found) return { path, ...found };
    const isMisplaced = key === undefined || (frame.isList && byte === COLON);
    return isMisplaced ? { path, problem: INVALID } : { path, key, ...found };
  }

  #take(): { value: unknown } | { problem: string } {
    const isLong = this.#length > MAX_MEMBER;
    const [first] = this.#pieces;
    const bytes = first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    if (isLong) return { problem: `longer than ${MAX_MEMBER / 2 ** 20} MiB` };
    return valueOf(decoder.decode(bytes).trim(), this.#options);
  }
}

const decoder = new TextDecoder();

const pathIn = ({ path, isList, key }: Frame): string => {
  const last = isList ? "*" : key!;
  return path === "" ? last : `${path}/${last}`;
};

/** The parts of each piece of the stream together, in their order; what follows the outermost container is not read. */
export async function* jsonParts(
  bytes: AsyncIterable<Uint8Array>,
  options: CutOptions,
): AsyncGenerator<JsonPart[]> {
  const cutter = new JsonCutter(options);
  for await (const piece of bytes) {
    yield cutter.push(piece);
    if (cutter.isOver) return;
  }
  yield [...cutter.end()];
}

/** An element, or why there is none. */
export type ListElement = { value: unknown } | { problem: string };

/** The elements of a list; an empty stream is an empty list. */
export async function* listElements(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ListElement[]> {
  for await (const parts of jsonParts(bytes, { enter: () => false })) {
    if (parts.some((part) => part.path === "" && "opened" in part && part.opened === "object"))
      return yield [{ problem: "not a list" }];
    yield parts.flatMap((part): ListElement[] => {
      if ("opened" in part) return [];
      return [part];
    });
  }
}
/** The values of lines of JSON; empty lines are none. */
export async function* lineElements(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ListElement[]> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (): ListElement[] => {
    const isLong = length > MAX_LINE;
    const text = Buffer.concat(pieces)
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trim();
    pieces = [];
    length = 0;
    if (isLong) return [{ problem: `longer than ${MAX_LINE / 2 ** 20} MiB` }];
    return text === "" ? [] : [valueOf(text, { bounds: "answer" })];
  };
  for await (const piece of bytes) {
    const found: ListElement[] = [];
    let from = 0;
    for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, from)) {
      keep(piece.subarray(from, end));
      found.push(...take());
      from = end + 1;
    }
    keep(piece.subarray(from));
    yield found;
  }
  yield take();

  function keep(bytes: Uint8Array): void {
    length += bytes.length;
    if (length > MAX_LINE) pieces = [];
    else if (bytes.length > 0) pieces.push(bytes);
  }
}
