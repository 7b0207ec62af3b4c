/** Joins the parts of an export into one file of the same format, without repeated users and headers. */

type Form = "v1" | "v2" | "csv";

const NEWLINE = 10;
const OPEN_BRACKET = 0x5b;
/** Bytes that may follow the last channel of an array. */
const END_BYTES = new Set(Buffer.from("] \t\r\n"));

/** Call `begin` before each part, `add` with its bytes, and `end` at last; each returns bytes of the joined file. */
export class JoinedExport {
  readonly #form: Form;
  readonly #userIds = new Set<string>();
  /** Bytes of the current part that may still turn out to be its end. */
  #buffered: Buffer = Buffer.alloc(0);
  #parts = 0;
  /** The opening bracket of this part was read. */
  #open = false;
  /** Something of this part, or of any part, was returned. */
  #partHasOutput = false;
  #hasOutput = false;

  constructor(form: Form) {
    this.#form = form;
  }

  /** Starts a part and returns the held bytes of the part before. */
  begin(): Uint8Array {
    const rest = this.#endPart();
    this.#parts++;
    this.#open = false;
    this.#partHasOutput = false;
    return rest;
  }

  add(piece: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([this.#buffered, piece]);
    this.#buffered = Buffer.alloc(0);
    return this.#form === "v1" ? this.#fromArray(bytes) : this.#fromLines(bytes);
  }

  end(): Uint8Array {
    const rest = this.#endPart();
    if (this.#form !== "v1") return rest;
    return Buffer.concat([rest, Buffer.from(this.#hasOutput ? "\n]\n" : "[]\n")]);
  }

  #endPart(): Uint8Array {
    const held = this.#buffered;
    this.#buffered = Buffer.alloc(0);
    if (held.length === 0) return held;
    if (this.#form !== "v1") return this.#lines(Buffer.concat([held, Buffer.from([NEWLINE])]));
    // Only the last bracket ends the array; those before it belong to the last channel.
    const end = held.lastIndexOf("]");
    return held.subarray(0, Math.max(0, end));
  }

  /** Removes the outer brackets; bytes that may be the end of the array are held back. */
  #fromArray(bytes: Buffer): Uint8Array {
    let from = bytes;
    if (!this.#open) {
      const at = bytes.indexOf(OPEN_BRACKET);
      if (at < 0) return Buffer.alloc(0);
      this.#open = true;
      from = bytes.subarray(at + 1);
    }
    let end = from.length;
    while (end > 0 && END_BYTES.has(from[end - 1]!)) end--;
    this.#buffered = Buffer.from(from.subarray(end));
    const body = from.subarray(0, end);
    if (body.length === 0 || this.#partHasOutput) return body;
    this.#partHasOutput = true;
    const before = this.#hasOutput ? "," : "[";
    this.#hasOutput = true;
    return Buffer.concat([Buffer.from(before), body]);
  }

  #fromLines(bytes: Buffer): Uint8Array {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#buffered = Buffer.from(bytes.subarray(end));
    return this.#lines(bytes.subarray(0, end));
  }

  #lines(bytes: Buffer): Uint8Array {
    if (this.#form === "v2") return this.#withoutKnownUsers(bytes);
    if (this.#parts === 1 || this.#partHasOutput || bytes.length === 0) return bytes;
    // Only the first part keeps its header.
    this.#partHasOutput = true;
    return bytes.subarray(bytes.indexOf(NEWLINE) + 1);
  }

  #withoutKnownUsers(bytes: Buffer): Uint8Array {
    const lines = bytes
      .toString("utf8")
      .split("\n")
      .slice(0, -1)
      .filter((line) => !this.#isKnownUser(line));
    return Buffer.from(lines.map((line) => `${line}\n`).join(""));
  }

  /** Whether the line is a user written before. */
  #isKnownUser(line: string): boolean {
    if (!line.startsWith('{"type":"user"')) return false;
    const { id } = (JSON.parse(line) as { data: { id: string } }).data;
    if (this.#userIds.has(id)) return true;
    this.#userIds.add(id);
    return false;
  }
}
