/** Joins several export files of one format into one, with each channel and each person once. */

type Form = "v1" | "v2" | "csv";

const NEWLINE = 10;
const OPEN = 0x5b;
/** What may stand behind the last channel of an array: brackets and white space. */
const END = new Set(Buffer.from("] \t\r\n"));

/** Gives the pieces of the whole; a part is told by `begin`, its bytes by `take`. */
export class JoinedExport {
  readonly #form: Form;
  readonly #people = new Set<string>();
  /** Bytes of the part that is being read which may not be given yet. */
  #held: Buffer = Buffer.alloc(0);
  #parts = 0;
  /** The array of this part has begun. */
  #open = false;
  /** Something of this part was given, or of one before it. */
  #inPart = false;
  #any = false;

  constructor(form: Form) {
    this.#form = form;
  }

  /** A part begins; what was held of the one before comes back. */
  begin(): Uint8Array {
    const rest = this.#endPart();
    this.#parts++;
    this.#open = false;
    this.#inPart = false;
    return rest;
  }

  take(piece: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([this.#held, piece]);
    this.#held = Buffer.alloc(0);
    return this.#form === "v1" ? this.#ofArray(bytes) : this.#ofLines(bytes);
  }

  end(): Uint8Array {
    const rest = this.#endPart();
    if (this.#form !== "v1") return rest;
    return Buffer.concat([rest, Buffer.from(this.#any ? "\n]\n" : "[]\n")]);
  }

  #endPart(): Uint8Array {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    if (held.length === 0) return held;
    if (this.#form !== "v1") return this.#lines(Buffer.concat([held, Buffer.from([NEWLINE])]));
    // Brackets of the last channel may stand before the one that ends the array.
    const end = held.lastIndexOf("]");
    return held.subarray(0, Math.max(0, end));
  }

  /** Its brackets go away; what could be the last of them waits for what follows. */
  #ofArray(bytes: Buffer): Uint8Array {
    let from = bytes;
    if (!this.#open) {
      const at = bytes.indexOf(OPEN);
      if (at < 0) return Buffer.alloc(0);
      this.#open = true;
      from = bytes.subarray(at + 1);
    }
    let end = from.length;
    while (end > 0 && END.has(from[end - 1]!)) end--;
    this.#held = Buffer.from(from.subarray(end));
    const body = from.subarray(0, end);
    if (body.length === 0 || this.#inPart) return body;
    this.#inPart = true;
    const before = this.#any ? "," : "[";
    this.#any = true;
    return Buffer.concat([Buffer.from(before), body]);
  }

  #ofLines(bytes: Buffer): Uint8Array {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#held = Buffer.from(bytes.subarray(end));
    return this.#lines(bytes.subarray(0, end));
  }

  #lines(bytes: Buffer): Uint8Array {
    if (this.#form === "v2") return this.#withoutKnown(bytes);
    if (this.#parts === 1 || this.#inPart || bytes.length === 0) return bytes;
    // The header of the first part is that of all.
    this.#inPart = true;
    return bytes.subarray(bytes.indexOf(NEWLINE) + 1);
  }

  #withoutKnown(bytes: Buffer): Uint8Array {
    const kept = bytes
      .toString("utf8")
      .split("\n")
      .slice(0, -1)
      .filter((line) => !this.#isKnown(line));
    return Buffer.from(kept.map((line) => `${line}\n`).join(""));
  }

  /** A person who stood in this file already. */
  #isKnown(line: string): boolean {
    if (!line.startsWith('{"type":"user"')) return false;
    const { id } = (JSON.parse(line) as { data: { id: string } }).data;
    if (this.#people.has(id)) return true;
    this.#people.add(id);
    return false;
  }
}
