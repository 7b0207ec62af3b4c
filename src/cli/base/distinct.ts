/** Counts different texts without keeping them: eight bytes each, for a run that changes a hundred thousand things. */
import { hash } from "node:crypto";

/** Bytes of a text's SHA-256 that stand for it: among a million texts two have the same once in five hundred runs. */
const BYTES = 6;

/** One more than the number that stands for the text, for zero is an empty slot. */
const markOf = (text: string): number => hash("sha256", text, "buffer").readUIntBE(0, BYTES) + 1;

export class Distinct {
  #slots = new Float64Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** False when it was there. */
  add(text: string): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const isNew = this.#put(markOf(text));
    if (isNew) this.#size++;
    return isNew;
  }

  #put(mark: number): boolean {
    const { length } = this.#slots;
    let at = mark % length;
    while (this.#slots[at] !== 0 && this.#slots[at] !== mark) at = (at + 1) % length;
    const isNew = this.#slots[at] === 0;
    this.#slots[at] = mark;
    return isNew;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * 2);
    for (const mark of before) if (mark !== 0) this.#put(mark);
  }
}
