/** Buffers cache writes into transactions; never throws, because lost writes can be fetched from the provider again. */
import type { DatabaseSync } from "node:sqlite";
import type { AnyEvent } from "../../wire/events.ts";
import { applyToCache, CACHED_EVENTS } from "../../model/cache-events.ts";
import { MAX_STORED_MESSAGES, type CacheTables } from "./cache-tables.ts";

/** Milliseconds that writes are collected. */
const COLLECT_MS = 100;

export class CacheBuffer {
  readonly #db: DatabaseSync;
  readonly #tables: CacheTables;
  #writes: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Channel → its new messages; of a flood no more than the cache will keep. */
  readonly #newMessages = new Map<string, AnyEvent[]>();

  constructor(db: DatabaseSync, tables: CacheTables) {
    this.#db = db;
    this.#tables = tables;
  }

  later(write: () => void): void {
    this.#writes.push(write);
    // Messages after another write start a new list, which keeps the order.
    this.#newMessages.clear();
    if (this.#timer) return;
    this.#timer = setTimeout(this.flush, COLLECT_MS);
    this.#timer.unref();
  }

  note(event: AnyEvent): void {
    const { cid, type } = event;
    if (cid && /message[._]new$/.test(type)) this.#addNewMessage(cid, event);
    else if (CACHED_EVENTS.has(type)) this.later(() => applyToCache(this.#tables, event));
  }

  readonly flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const writes = this.#writes;
    this.#writes = [];
    this.#newMessages.clear();
    if (writes.length === 0) return;
    this.#tables.ended(this.#store(writes));
  };

  #store(writes: readonly (() => void)[]): boolean {
    const db = this.#db;
    try {
      db.exec("BEGIN");
      for (const write of writes) write();
      this.#tables.finish();
      db.exec("COMMIT");
      return true;
    } catch {
      if (db.isOpen && db.isTransaction) db.exec("ROLLBACK");
      return false;
    }
  }

  #addNewMessage(cid: string, event: AnyEvent): void {
    const list = this.#newMessages.get(cid);
    if (list) {
      if (list.push(event) > 2 * MAX_STORED_MESSAGES) list.splice(0, MAX_STORED_MESSAGES);
      return;
    }
    const events = [event];
    this.later(() => this.#tables.putNewMessages(cid, events));
    this.#newMessages.set(cid, events);
  }
}
