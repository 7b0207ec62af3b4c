/** An ordered, immutable list of messages by (`created_at`, id) whose changes copy only a small part. */
import { normalTime } from "../../wire/time.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { ClientMessage, Timeline } from "../../model/state.ts";

/** Most messages in a chunk, the unit that a change copies. */
const CHUNK = 256;

interface Chunk {
  keys: string[];
  messages: ClientMessage[];
  /** Built on first use. */
  ids: Set<string> | undefined;
}

/** Sort key of a message (R-SET-1): nine digits of time, then the id; a message without a valid date comes first. */
export function orderKey(message: Pick<Message, "created_at" | "id">): string {
  return `${typeof message.created_at === "string" ? (normalTime(message.created_at) ?? "") : ""}\u0000${message.id}`;
}

/** A key above all keys at or before this time. */
export function lastKeyOf(time: string): string {
  return `${normalTime(time) ?? ""}\u0000\uffff`;
}

function chunkIds(chunk: Chunk): Set<string> {
  chunk.ids ??= new Set(chunk.messages.map((message) => message.id));
  return chunk.ids;
}

class ChunkedTimeline implements Timeline {
  readonly chunks: readonly Chunk[];
  readonly length: number;
  constructor(chunks: readonly Chunk[]) {
    this.chunks = chunks;
    let length = 0;
    for (const chunk of chunks) length += chunk.keys.length;
    this.length = length;
  }
  at(index: number): ClientMessage | undefined {
    let rest = index < 0 ? this.length + index : index;
    if (rest < 0) return undefined;
    for (const chunk of this.chunks) {
      if (rest < chunk.messages.length) return chunk.messages[rest];
      rest -= chunk.messages.length;
    }
    return undefined;
  }
  indexOf(id: string): number {
    let before = 0;
    for (const chunk of this.chunks) {
      if (chunkIds(chunk).has(id)) return before + chunk.messages.findIndex((message) => message.id === id);
      before += chunk.messages.length;
    }
    return -1;
  }
  slice(start: number, end: number): ClientMessage[] {
    const out: ClientMessage[] = [];
    let before = 0;
    for (const chunk of this.chunks) {
      const size = chunk.messages.length;
      if (before + size > start && before < end)
        for (let i = Math.max(0, start - before); i < Math.min(size, end - before); i++)
          out.push(chunk.messages[i]!);
      before += size;
      if (before >= end) break;
    }
    return out;
  }
  *[Symbol.iterator](): Iterator<ClientMessage> {
    for (const chunk of this.chunks) yield* chunk.messages;
  }
}

export const NO_MESSAGES: Timeline = new ChunkedTimeline([]);

/** First index of an ascending list whose key is not lower. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A working copy of a timeline; copies only the chunks it changes. */
export class TimelineEdit {
  readonly #before: ChunkedTimeline;
  #chunks: Chunk[];
  #owned: boolean[];
  #changed = false;

  constructor(timeline: Timeline) {
    this.#before = timeline as ChunkedTimeline;
    this.#chunks = [...this.#before.chunks];
    this.#owned = this.#chunks.map(() => false);
  }

  get length(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.keys.length, 0);
  }
  get first(): ClientMessage | undefined {
    return this.#chunks[0]?.messages[0];
  }
  get last(): ClientMessage | undefined {
    return this.#chunks.at(-1)?.messages.at(-1);
  }
  get firstKey(): string | undefined {
    return this.#chunks[0]?.keys[0];
  }
  get lastKey(): string | undefined {
    return this.#chunks.at(-1)?.keys.at(-1);
  }

  has(id: string): boolean {
    return this.#chunks.some((chunk) => chunkIds(chunk).has(id));
  }
  get(id: string): ClientMessage | undefined {
    const chunk = this.#chunks.find((each) => chunkIds(each).has(id));
    return chunk?.messages.find((message) => message.id === id);
  }
  *[Symbol.iterator](): Generator<ClientMessage> {
    for (const chunk of this.#chunks.slice()) yield* chunk.messages.slice();
  }

  #chunkForChange(index: number): Chunk {
    if (this.#owned[index]) return this.#chunks[index]!;
    const chunk = this.#chunks[index]!;
    const copy = {
      keys: chunk.keys.slice(),
      messages: chunk.messages.slice(),
      ids: chunk.ids && new Set(chunk.ids),
    };
    this.#chunks[index] = copy;
    this.#owned[index] = true;
    this.#changed = true;
    return copy;
  }

  /** Index of the chunk the key belongs to. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#chunks[middle]!.keys.at(-1)! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Inserts a message, or replaces the one with the same id, which may have another sort key. */
  put(message: ClientMessage): void {
    const key = orderKey(message);
    const { lastKey } = this;
    if (this.has(message.id)) {
      const index = this.#chunkOf(key);
      const at = lowerBound(this.#chunks[index]!.keys, key);
      if (this.#chunks[index]!.keys[at] === key) {
        if (this.#chunks[index]!.messages[at] !== message) this.#chunkForChange(index).messages[at] = message;
        return;
      }
      this.remove(message.id);
    } else if (lastKey === undefined || lastKey < key) return this.#append(key, message);
    this.#insert(key, message);
  }

  #append(key: string, message: ClientMessage): void {
    const last = this.#chunks.length - 1;
    if (last < 0 || this.#chunks[last]!.keys.length >= CHUNK) {
      this.#chunks.push({ keys: [key], messages: [message], ids: undefined });
      this.#owned.push(true);
      this.#changed = true;
      return;
    }
    const chunk = this.#chunkForChange(last);
    chunk.keys.push(key);
    chunk.messages.push(message);
    chunk.ids?.add(message.id);
  }

  #insert(key: string, message: ClientMessage): void {
    if (this.#chunks.length === 0) return this.#append(key, message);
    const index = this.#chunkOf(key);
    const chunk = this.#chunkForChange(index);
    const at = lowerBound(chunk.keys, key);
    chunk.keys.splice(at, 0, key);
    chunk.messages.splice(at, 0, message);
    chunk.ids?.add(message.id);
    if (chunk.keys.length > CHUNK) this.#split(index);
  }

  #split(index: number): void {
    const chunk = this.#chunks[index]!;
    const half = chunk.keys.length >> 1;
    const tail: Chunk = {
      keys: chunk.keys.splice(half),
      messages: chunk.messages.splice(half),
      ids: undefined,
    };
    chunk.ids = undefined;
    this.#chunks.splice(index + 1, 0, tail);
    this.#owned.splice(index + 1, 0, true);
  }

  remove(id: string): ClientMessage | undefined {
    const index = this.#chunks.findIndex((chunk) => chunkIds(chunk).has(id));
    if (index < 0) return undefined;
    const chunk = this.#chunkForChange(index);
    const at = chunk.messages.findIndex((message) => message.id === id);
    const [removed] = chunk.messages.splice(at, 1);
    chunk.keys.splice(at, 1);
    chunk.ids?.delete(id);
    if (chunk.keys.length === 0) {
      this.#chunks.splice(index, 1);
      this.#owned.splice(index, 1);
    }
    return removed;
  }

  /** Replaces each message by the result of `change`; `undefined` removes it, the same object leaves it untouched. */
  rewrite(change: (message: ClientMessage) => ClientMessage | undefined): void {
    const moved: ClientMessage[] = [];
    for (const message of this) {
      const next = change(message);
      if (next === message) continue;
      if (next === undefined) this.remove(message.id);
      else moved.push(next);
    }
    for (const message of moved) this.put(message);
  }

  /** Drops the oldest chunks until at most `limit` messages are left; true when any were dropped. */
  trim(limit: number): boolean {
    let { length } = this;
    if (length <= limit) return false;
    while (length > limit && this.#chunks.length > 1) {
      length -= this.#chunks.shift()!.keys.length;
      this.#owned.shift();
    }
    this.#changed = true;
    return true;
  }

  /** Returns the original object when nothing has changed. This copy must not be used afterwards. */
  finish(): Timeline {
    return this.#changed ? new ChunkedTimeline(this.#chunks) : this.#before;
  }
}
