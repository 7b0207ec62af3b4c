/** An ordered, immutable list of messages by (`created_at`, id) whose changes copy only a small part. */
import type { HeldMessage } from "./model.ts";

export interface Timeline {
  readonly length: number;
  at(index: number): HeldMessage | undefined;
  /** Position of the message with this id, −1 when absent. */
  indexOf(id: string): number;
  slice(start: number, end: number): HeldMessage[];
  [Symbol.iterator](): Iterator<HeldMessage>;
}
