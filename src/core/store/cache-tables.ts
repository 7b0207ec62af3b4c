/** The tables of cache.db, written within one transaction: channels, their newest messages without a hole, and who is signed in (D6). */
import { compareTimes } from "../../wire/time.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import { lastKeyOf, orderKey } from "../state/timeline.ts";
import { applyToCache, type CacheRows } from "./cache-events.ts";
import { EarlyMessages } from "./early-messages.ts";
import type { PrepareStatement } from "./statements.ts";

/** Messages of a channel kept on disk. */
export const KEPT_MESSAGES = 300;

/** A message as it lies on disk. */
interface Row {
  cid: string;
  key: string;
  id: string;
  body: string;
}

const rowOf = (message: Message): Row => ({
  cid: message.cid,
  key: orderKey(message),
  id: message.id,
  body: JSON.stringify(message),
});

const isKept = ({ parent_id, show_in_channel, type }: Message): boolean =>
  (!parent_id || Boolean(show_in_channel)) && type !== "ephemeral" && type !== "error";

export class CacheTables implements CacheRows {
  readonly #sql: PrepareStatement;
  readonly me: () => string | undefined;
  /** Channels whose newest page this process has stored: only behind it may a new message stand without a hole. */
  readonly #live = new Set<string>();
  readonly #early = new EarlyMessages();
  /** Channels of this transaction with more messages than before, and with a newer `last_message_at`. */
  readonly #grown = new Set<string>();
  readonly #touched = new Map<string, string>();
  /** Channels of this transaction, written once at its end: those of big channels are long, and each reader changes them. */
  readonly #changed = new Map<string, ChannelState>();

  constructor(sql: PrepareStatement, me: () => string | undefined) {
    this.#sql = sql;
    this.me = me;
  }

  isLive(cid: string): boolean {
    return this.#live.has(cid);
  }

  /** What is stored is not followed by anything until a page comes. */
  interrupted(): void {
    this.#live.clear();
    this.#early.clear();
  }

  keepEarly(message: Message): void {
    this.#early.note(message);
  }

  putMessage(message: Message): void {
    if (isKept(message)) this.#putRow(rowOf(message));
  }

  #putRow({ cid, key, id, body }: Row): void {
    this.#sql("INSERT OR REPLACE INTO messages (cid, key, id, body) VALUES (?, ?, ?, ?)").run(
      cid,
      key,
      id,
      body,
    );
    this.#grown.add(cid);
  }

  message(id: string): Message | undefined {
    const raw = this.#sql("SELECT body FROM messages WHERE id = ?").get(id);
    return raw && (JSON.parse(raw.body as string) as Message);
  }

  removeMessage(id: string): void {
    this.#early.remove(id);
    this.#sql("DELETE FROM messages WHERE id = ?").run(id);
  }

  removeUpTo(cid: string, at: string): void {
    this.#sql("DELETE FROM messages WHERE cid = ? AND key <= ?").run(cid, lastKeyOf(at));
  }

  channel(cid: string): ChannelState | undefined {
    const changed = this.#changed.get(cid);
    if (changed) return changed;
    const raw = this.#sql("SELECT state FROM channels WHERE cid = ?").get(cid);
    return raw && (JSON.parse(raw.state as string) as ChannelState);
  }

  touch(cid: string, at: string): void {
    if (compareTimes(at, this.#touched.get(cid)) > 0) this.#touched.set(cid, at);
  }

  putChannel(state: ChannelState): void {
    // Whoever gave it goes on with it: what comes later changes this copy.
    this.#changed.set(state.channel.cid, { ...state });
  }

  #writeChannel(state: ChannelState): void {
    const { channel } = state;
    this.#sql(
      `INSERT INTO channels (cid, activity, state) VALUES (?, ?, ?) ON CONFLICT (cid) DO UPDATE
       SET activity = excluded.activity, state = excluded.state
       WHERE activity <> excluded.activity OR state <> excluded.state`,
    ).run(
      channel.cid,
      channel.last_message_at ?? channel.created_at ?? "",
      JSON.stringify({ ...state, messages: [] }),
    );
  }

  removeChannel(cid: string): void {
    this.#changed.delete(cid);
    this.#sql("DELETE FROM channels WHERE cid = ?").run(cid);
    this.#removeMessages(cid);
  }

  /** `body`: the own user as JSON. */
  putMe(body: string): void {
    this.#sql("INSERT OR REPLACE INTO me (one, body) VALUES (1, ?)").run(body);
  }

  /** A hole in the cache would pass for a whole history later, so a page that overlaps nothing replaces what is there. */
  putPage(cid: string, messages: readonly Message[]): void {
    if (this.#isOutrun(cid, messages)) return;
    this.#replacePage(cid, messages);
    if (this.#live.has(cid)) return;
    const later = this.#early.after(cid, messages);
    for (const message of later ?? []) this.putMessage(message);
    if (later) this.#live.add(cid);
  }

  /** A start is told what is stored already, of every channel: what stands there as it is told is not written again. */
  #replacePage(cid: string, messages: readonly Message[]): void {
    const rows = messages.filter(isKept).map(rowOf);
    const keys = messages.map((message) => orderKey(message)).toSorted();
    const span = [cid, keys[0] ?? "", keys.at(-1) ?? ""];
    const held = this.#sql("SELECT id, body FROM messages WHERE cid = ? AND key >= ? AND key <= ?").all(
      ...span,
    ) as unknown as Pick<Row, "id" | "body">[];
    const stored = new Map(held.map(({ id, body }) => [id, body]));
    if (
      rows.length > 0 &&
      held.length === rows.length &&
      rows.every(({ id, body }) => stored.get(id) === body)
    )
      return;
    const known = messages.some(({ id }) => stored.has(id));
    if (!known) this.#removeMessages(cid);
    else this.#sql("DELETE FROM messages WHERE cid = ? AND key >= ? AND key <= ?").run(...span);
    for (const row of rows) this.#putRow(row);
  }

  /** New messages of one channel, in their order. */
  putNews(cid: string, events: readonly AnyEvent[]): void {
    // What a flood left out would be a hole below its end.
    if (events.length > KEPT_MESSAGES && this.#live.has(cid)) this.#removeMessages(cid);
    for (const event of events.slice(-KEPT_MESSAGES)) applyToCache(this, event);
  }

  /** The last writes of a transaction. */
  finish(): void {
    for (const [cid, at] of this.#touched) this.#moveUp(cid, at);
    for (const state of this.#changed.values()) this.#writeChannel(state);
    for (const cid of this.#grown) this.#prune(cid);
  }

  /** The transaction is over; what was not stored leaves nothing for later messages to stand on. */
  ended(stored: boolean): void {
    if (!stored) this.interrupted();
    this.#grown.clear();
    this.#touched.clear();
    this.#changed.clear();
  }

  /** Of two answers the older one came last, and all of it lies before what follows the newer one. */
  #isOutrun(cid: string, messages: readonly Message[]): boolean {
    if (!this.#live.has(cid) || messages.length === 0 || messages.some(({ id }) => this.message(id)))
      return false;
    const newest = this.#sql("SELECT max(key) AS key FROM messages WHERE cid = ?").get(cid) as {
      key: string | null;
    };
    return messages.every((message) => orderKey(message) < (newest.key ?? ""));
  }

  #removeMessages(cid: string): void {
    this.#sql("DELETE FROM messages WHERE cid = ?").run(cid);
  }

  #moveUp(cid: string, at: string): void {
    const state = this.channel(cid);
    if (!state || compareTimes(at, state.channel.last_message_at) <= 0) return;
    state.channel.last_message_at = at;
    this.putChannel(state);
  }

  #prune(cid: string): void {
    this.#sql(
      `DELETE FROM messages WHERE cid = ?1 AND key <= (SELECT key FROM messages WHERE cid = ?1 ORDER BY key DESC LIMIT 1 OFFSET ${KEPT_MESSAGES})`,
    ).run(cid);
  }
}
