/** Counts distinct texts in eight bytes each, for runs that change a hundred thousand objects. */
import { hash } from "node:crypto";

/** Bytes of a text's SHA-256 used to identify it: a million texts collide once in five hundred runs. */
const HASH_BYTES = 6;

/** Never zero, which marks an empty slot. */
const hashOf = (text: string): number => hash("sha256", text, "buffer").readUIntBE(0, HASH_BYTES) + 1;

export class DistinctCounter {
  #slots = new Float64Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns false if the text was counted before. */
  add(text: string): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const isNew = this.#put(hashOf(text));
    if (isNew) this.#size++;
    return isNew;
  }

  #put(value: number): boolean {
    const { length } = this.#slots;
    let index = value % length;
    while (this.#slots[index] !== 0 && this.#slots[index] !== value) index = (index + 1) % length;
    const isNew = this.#slots[index] === 0;
    this.#slots[index] = value;
    return isNew;
  }

  #grow(): void {
    const previous = this.#slots;
    this.#slots = new Float64Array(previous.length * 2);
    for (const value of previous) if (value !== 0) this.#put(value);
  }
}
