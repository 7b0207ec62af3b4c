/** The file cache.db: channels with their newest messages as last known, to fill the screen before the network answers; rebuildable at any time. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { compareTimes } from "../../wire/time.ts";
import type { ChannelState, Read } from "../../wire/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/message.ts";
import type { OwnUser } from "../../wire/user.ts";
import { lastKeyOf, placeKey } from "../state/timeline.ts";
import { applyToCache, CACHED_EVENTS } from "./cache-events.ts";
import type { CacheRows } from "./cache-events.ts";
import { EarlyMessages } from "./early-messages.ts";
import { moveAside, openFile } from "./file.ts";
import { StoreFailure } from "./store.ts";
import type { Cache } from "./store.ts";

/** Messages of a channel kept on disk. */
const KEPT = 300;
/** Milliseconds that writes are gathered for one transaction. */
const GATHER = 100;
const MIGRATIONS = [
  `
CREATE TABLE IF NOT EXISTS channels (cid TEXT PRIMARY KEY, activity TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (cid TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (cid, key)) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS messages_by_id ON messages (id);
CREATE TABLE IF NOT EXISTS me (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL) STRICT;
`,
];

export type CacheDb = Cache & { flush(): void; close(): void };

function openOrRebuild(file: string, now: () => number): DatabaseSync {
  try {
    return openFile(file, "NORMAL", MIGRATIONS);
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === "damaged") moveAside(file, now());
    // No cache file is better than no program: what cannot be kept on disk is kept for this run.
    try {
      return openFile(file, "NORMAL", MIGRATIONS);
    } catch {
      return openFile(":memory:", "NORMAL", MIGRATIONS);
    }
  }
}

/** Writes are gathered and never throw: what the cache cannot take, the provider still has. */
export function openCacheDb(file: string, now: () => number, me: () => string | undefined): CacheDb {
  const db = openOrRebuild(file, now);
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = db.prepare(text)));
    return statement;
  };
  let gathered: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const grown = new Set<string>();
  /** New messages by channel: a flood is not worth more than what will be kept. */
  const news = new Map<string, AnyEvent[]>();
  /** Channels whose newest page this process has stored: only behind it may a new message stand without a hole (D6). */
  const live = new Set<string>();
  const early = new EarlyMessages();
  /** Channel → newest `last_message_at` of this flush. */
  const touched = new Map<string, string>();

  function later(write: () => void): void {
    gathered.push(write);
    // News behind another write is gathered anew, so that the order of both stays.
    news.clear();
    if (timer) return;
    timer = setTimeout(flush, GATHER);
    timer.unref();
  }

  function putNews(cid: string, events: readonly AnyEvent[]): void {
    // What a flood left out would be a hole below its end.
    if (events.length > KEPT && live.has(cid)) sql("DELETE FROM messages WHERE cid = ?").run(cid);
    for (const event of events.slice(-KEPT)) applyToCache(rows, event);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const writes = gathered;
    gathered = [];
    news.clear();
    if (writes.length === 0) return;
    try {
      db.exec("BEGIN");
      for (const write of writes) write();
      for (const [cid, at] of touched) moveUp(cid, at);
      for (const cid of grown) prune(cid);
      db.exec("COMMIT");
    } catch {
      if (db.isOpen && db.isTransaction) db.exec("ROLLBACK");
      // A page that was not stored leaves nothing for later messages to stand on.
      live.clear();
      early.clear();
    }
    grown.clear();
    touched.clear();
  }

  function moveUp(cid: string, at: string): void {
    const state = rows.channel(cid);
    if (!state || compareTimes(at, state.channel.last_message_at) <= 0) return;
    state.channel.last_message_at = at;
    rows.putChannel(state);
  }

  function prune(cid: string): void {
    sql(
      `DELETE FROM messages WHERE cid = ?1 AND key <= (SELECT key FROM messages WHERE cid = ?1 ORDER BY key DESC LIMIT 1 OFFSET ${KEPT})`,
    ).run(cid);
  }

  /** An answer for reading, or the fallback when the file cannot be read. */
  function read<T>(fallback: T, work: () => T): T {
    flush();
    try {
      return work();
    } catch {
      return fallback;
    }
  }

  /** A hole in the cache would pass for a whole history later, so a page that overlaps nothing replaces what is there. */
  function putPage(cid: string, messages: readonly Message[]): void {
    if (isOutrun(cid, messages)) return;
    const known = messages.some((message) => rows.message(message.id));
    if (!known) sql("DELETE FROM messages WHERE cid = ?").run(cid);
    else if (messages.length) {
      const keys = messages.map((message) => placeKey(message)).toSorted();
      sql("DELETE FROM messages WHERE cid = ? AND key >= ? AND key <= ?").run(cid, keys[0]!, keys.at(-1)!);
    }
    for (const message of messages) rows.putMessage(message);
    if (live.has(cid)) return;
    const later = early.after(cid, messages);
    for (const message of later ?? []) rows.putMessage(message);
    if (later) live.add(cid);
  }

  /** Of two answers the older one came last, and all of it lies before what follows the newer one. */
  function isOutrun(cid: string, messages: readonly Message[]): boolean {
    if (!live.has(cid) || messages.length === 0 || messages.some(({ id }) => rows.message(id))) return false;
    const newest = sql("SELECT max(key) AS key FROM messages WHERE cid = ?").get(cid) as {
      key: string | null;
    };
    return messages.every((message) => placeKey(message) < (newest.key ?? ""));
  }

  const rows: CacheRows = {
    me,
    isLive: (cid) => live.has(cid),
    keepEarly: (message) => early.note(message),
    putMessage(message) {
      if (message.parent_id && !message.show_in_channel) return;
      if (message.type === "ephemeral" || message.type === "error") return;
      const key = placeKey(message);
      sql("INSERT OR REPLACE INTO messages (cid, key, id, body) VALUES (?, ?, ?, ?)").run(
        message.cid,
        key,
        message.id,
        JSON.stringify(message),
      );
      grown.add(message.cid);
    },
    message(id) {
      const raw = sql("SELECT body FROM messages WHERE id = ?").get(id);
      return raw && (JSON.parse(raw.body as string) as Message);
    },
    removeMessage(id) {
      early.remove(id);
      sql("DELETE FROM messages WHERE id = ?").run(id);
    },
    removeUpTo: (cid, at) =>
      void sql("DELETE FROM messages WHERE cid = ? AND key <= ?").run(cid, lastKeyOf(at)),
    channel(cid) {
      const raw = sql("SELECT state FROM channels WHERE cid = ?").get(cid);
      return raw && (JSON.parse(raw.state as string) as ChannelState);
    },
    touch(cid, at) {
      if (compareTimes(at, touched.get(cid)) > 0) touched.set(cid, at);
    },
    putChannel(state) {
      const { channel } = state;
      sql("INSERT OR REPLACE INTO channels (cid, activity, state) VALUES (?, ?, ?)").run(
        channel.cid,
        channel.last_message_at ?? channel.created_at ?? "",
        JSON.stringify({ ...state, messages: [] }),
      );
    },
    removeChannel(cid) {
      sql("DELETE FROM channels WHERE cid = ?").run(cid);
      sql("DELETE FROM messages WHERE cid = ?").run(cid);
    },
  };

  return {
    me: () =>
      read(undefined, () => {
        const raw = sql("SELECT body FROM me WHERE one = 1").get();
        return raw && (JSON.parse(raw.body as string) as OwnUser);
      }),
    channels: (messages) =>
      read([], () =>
        sql("SELECT cid, state FROM channels ORDER BY activity DESC, cid")
          .all()
          .map((raw) => {
            // One parse a channel: many small ones cost more.
            const page = sql(
              `SELECT group_concat(body, ',') AS bodies FROM
                 (SELECT body FROM (SELECT key, body FROM messages WHERE cid = ? ORDER BY key DESC LIMIT ?) ORDER BY key)`,
            ).get(raw.cid as string, messages) as { bodies: string | null };
            const state = JSON.parse(raw.state as string) as ChannelState;
            state.messages = page.bodies === null ? [] : (JSON.parse(`[${page.bodies}]`) as Message[]);
            return state;
          }),
      ),
    saveMe(own) {
      const body = JSON.stringify(own);
      later(() => void sql("INSERT OR REPLACE INTO me (one, body) VALUES (1, ?)").run(body));
    },
    saveChannels(states) {
      later(() => {
        for (const state of states) {
          rows.putChannel(state);
          putPage(state.channel.cid, state.messages);
        }
      });
    },
    saveMessages(messages) {
      later(() => {
        for (const message of messages) {
          if (rows.message(message.id)) rows.putMessage(message);
        }
      });
    },
    interrupted: () =>
      later(() => {
        live.clear();
        early.clear();
      }),
    removeMessages(ids) {
      later(() => {
        for (const id of ids) rows.removeMessage(id);
      });
    },
    saveRead(cid, given: Read) {
      later(() => {
        const state = rows.channel(cid);
        if (!state) return;
        state.read = [...state.read.filter((each) => each.user.id !== given.user.id), given];
        rows.putChannel(state);
      });
    },
    dropChannel: (cid) => later(() => rows.removeChannel(cid)),
    messagesBefore: (cid, createdAt, id, limit) =>
      read([], () =>
        sql("SELECT body FROM messages WHERE cid = ? AND key < ? ORDER BY key DESC LIMIT ?")
          .all(cid, placeKey({ created_at: createdAt, id }), limit)
          .map((raw) => JSON.parse(raw.body as string) as Message)
          .toReversed(),
      ),
    note(events: AnyEvent[]) {
      for (const event of events) {
        if (!event.cid) continue;
        if (!event.type.endsWith("message.new") && !event.type.endsWith("message_new")) {
          if (CACHED_EVENTS.has(event.type)) later(() => applyToCache(rows, event));
          continue;
        }
        const { cid } = event;
        const list = news.get(cid);
        if (list) {
          if (list.push(event) > 2 * KEPT) list.splice(0, KEPT);
          continue;
        }
        const made = [event];
        later(() => putNews(cid, made));
        news.set(cid, made);
      }
    },
    flush,
    close() {
      flush();
      prepared.clear();
      db.close();
    },
  };
}
