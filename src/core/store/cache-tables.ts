/** The tables of cache.db, written within a transaction: channels, their newest messages without a gap, and the current user (D6). */
import { fold, isAscii } from "../../text/fold.ts";
import { compareTimes } from "../../wire/time.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import { lastKeyOf, orderKey } from "../state/timeline.ts";
import { applyToCache, type CacheRows } from "../../model/cache-events.ts";
import { EarlyMessages } from "./early-messages.ts";
import type { PrepareStatement } from "./statements.ts";

/** Messages stored per channel. */
export const MAX_STORED_MESSAGES = 300;

interface Row {
  cid: string;
  key: string;
  id: string;
  body: string;
  /** The text as searches compare it; null when the body contains it in ASCII, where LIKE folds case. */
  folded: string | null;
}

const rowOf = (message: Message): Row => ({
  cid: message.cid,
  key: orderKey(message),
  id: message.id,
  body: JSON.stringify(message),
  folded: isAscii(message.text) ? null : fold(message.text),
});

const isCacheable = ({ parent_id, show_in_channel, type }: Message): boolean =>
  (!parent_id || Boolean(show_in_channel)) && type !== "ephemeral" && type !== "error";

/** Ids of the message that this one quotes and of the polls in both. */
const copiedIds = ({ poll, quoted_message: quoted }: Message): string[] =>
  [poll?.id, quoted?.id, quoted?.poll?.id].filter((id) => id !== undefined);

export class CacheTables implements CacheRows {
  readonly #sql: PrepareStatement;
  readonly me: () => string | undefined;
  /** Channels whose newest page this process has stored: only these can take new messages without a gap. */
  readonly #live = new Set<string>();
  readonly #early = new EarlyMessages();
  /** Channels of this transaction with new messages, and with a newer `last_message_at`. */
  readonly #grown = new Set<string>();
  readonly #activity = new Map<string, string>();
  /** Changed channels of this transaction, written once at its end: large channels are long, and every read mark changes them. */
  readonly #changed = new Map<string, ChannelState>();
  /** Channel → ids of what its messages and pins have copies of: looked for once in a transaction, not for each reaction. */
  readonly #copied = new Map<string, Set<string>>();

  constructor(sql: PrepareStatement, me: () => string | undefined) {
    this.#sql = sql;
    this.me = me;
  }

  isLive(cid: string): boolean {
    return this.#live.has(cid);
  }

  /** Stores no new messages until the next page. */
  interrupted(): void {
    this.#live.clear();
    this.#early.clear();
  }

  keepEarly(message: Message): void {
    this.#early.note(message);
  }

  putMessage(message: Message): void {
    if (!isCacheable(message)) return;
    this.#putRow(rowOf(message));
    const copied = this.#copied.get(message.cid);
    for (const id of copied ? copiedIds(message) : []) copied!.add(id);
  }

  #putRow({ cid, key, id, body, folded }: Row): void {
    this.#sql("INSERT OR REPLACE INTO messages (cid, key, id, body, folded) VALUES (?, ?, ?, ?, ?)").run(
      cid,
      key,
      id,
      body,
      folded,
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

  removeBefore(cid: string, message: Message): void {
    this.#sql("DELETE FROM messages WHERE cid = ? AND key < ?").run(cid, orderKey(message));
  }

  messagesWith(text: string, cid: string): Message[] {
    const rows = this.#sql("SELECT body FROM messages WHERE cid = ? AND instr(body, ?)").all(cid, text);
    return rows.map(({ body }) => JSON.parse(body as string) as Message);
  }

  hasCopies(cid: string, id: string): boolean {
    let copied = this.#copied.get(cid);
    if (!copied) this.#copied.set(cid, (copied = this.#findCopied(cid)));
    return copied.has(id);
  }

  #findCopied(cid: string): Set<string> {
    const rows = this.#sql(
      `SELECT body FROM messages WHERE cid = ? AND (body LIKE '%"quoted_message":{%' OR body LIKE '%"poll":{%')`,
    ).all(cid);
    const messages = rows.map(({ body }) => JSON.parse(body as string) as Message);
    const pins = this.channel(cid)?.pinned_messages ?? [];
    return new Set([...pins.map(({ id }) => id), ...[...messages, ...pins].flatMap(copiedIds)]);
  }

  cids(): string[] {
    return this.#sql("SELECT cid FROM channels")
      .all()
      .map(({ cid }) => cid as string);
  }

  channel(cid: string): ChannelState | undefined {
    const changed = this.#changed.get(cid);
    if (changed) return changed;
    const raw = this.#sql("SELECT state FROM channels WHERE cid = ?").get(cid);
    return raw && (JSON.parse(raw.state as string) as ChannelState);
  }

  recordActivity(cid: string, at: string): void {
    if (compareTimes(at, this.#activity.get(cid)) > 0) this.#activity.set(cid, at);
  }

  putChannel(state: ChannelState): void {
    // A copy, because later events change it in place.
    this.#changed.set(state.channel.cid, { ...state });
    // A page comes with its channel.
    this.#copied.delete(state.channel.cid);
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

  /** `body`: the current user as JSON. */
  putMe(body: string): void {
    this.#sql("INSERT OR REPLACE INTO me (one, body) VALUES (1, ?)").run(body);
  }

  /** A page that overlaps nothing replaces the stored messages, because a gap in the cache could not be seen later. */
  putPage(cid: string, messages: readonly Message[]): void {
    if (this.#isOutdated(cid, messages)) return;
    this.#replacePage(cid, messages);
    if (this.#live.has(cid)) return;
    const later = this.#early.after(cid, messages);
    for (const message of later ?? []) this.putMessage(message);
    if (later) this.#live.add(cid);
  }

  /** Writes nothing when the stored messages are the same, which is usual at a start. */
  #replacePage(cid: string, messages: readonly Message[]): void {
    const rows = messages.filter(isCacheable).map(rowOf);
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

  putNewMessages(cid: string, events: readonly AnyEvent[]): void {
    // Messages dropped in a flood would leave a gap.
    if (events.length > MAX_STORED_MESSAGES && this.#live.has(cid)) this.#removeMessages(cid);
    for (const event of events.slice(-MAX_STORED_MESSAGES)) applyToCache(this, event);
  }

  finish(): void {
    for (const [cid, at] of this.#activity) this.#updateActivity(cid, at);
    for (const state of this.#changed.values()) this.#writeChannel(state);
    for (const cid of this.#grown) this.#prune(cid);
  }

  /** The transaction has ended; if it failed, later messages would follow a gap. */
  ended(stored: boolean): void {
    if (!stored) this.interrupted();
    this.#grown.clear();
    this.#activity.clear();
    this.#changed.clear();
    this.#copied.clear();
  }

  /** Whether this page is an older answer that arrived last: all of it is before the stored messages. */
  #isOutdated(cid: string, messages: readonly Message[]): boolean {
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

  #updateActivity(cid: string, at: string): void {
    const state = this.channel(cid);
    if (!state || compareTimes(at, state.channel.last_message_at) <= 0) return;
    state.channel.last_message_at = at;
    this.putChannel(state);
  }

  #prune(cid: string): void {
    this.#sql(
      `DELETE FROM messages WHERE cid = ?1 AND key <= (SELECT key FROM messages WHERE cid = ?1 ORDER BY key DESC LIMIT 1 OFFSET ${MAX_STORED_MESSAGES})`,
    ).run(cid);
  }
}
