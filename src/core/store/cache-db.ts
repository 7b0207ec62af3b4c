/** The file cache.db: channels with their newest messages, to fill the screen before the network answers; can be rebuilt at any time. */
import type { DatabaseSync } from "node:sqlite";
import { ForeignFile } from "../../model/files/own-files.ts";
import { fold } from "../../text/fold.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import { CacheBuffer } from "./cache-buffer.ts";
import { searchCache } from "./cache-search.ts";
import { CacheTables } from "./cache-tables.ts";
import { IN_MEMORY, moveAside, openFile } from "./file.ts";
import { Statements, type PrepareStatement } from "./statements.ts";
import { StoreFailure, type Cache } from "./store.ts";

const MIGRATIONS = [
  `
CREATE TABLE IF NOT EXISTS channels (cid TEXT PRIMARY KEY, activity TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (cid TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (cid, key)) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS messages_by_id ON messages (id);
CREATE TABLE IF NOT EXISTS me (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL) STRICT;
`,
  `
ALTER TABLE messages ADD COLUMN folded TEXT;
UPDATE messages SET folded = fold(body ->> '$.text') WHERE body GLOB '*[^ -~]*';
`,
];

const openCacheFile = (file: string): DatabaseSync =>
  openFile(file, "NORMAL", MIGRATIONS, (db) => db.function("fold", (text) => fold(String(text))));

type CacheDb = Cache & {
  /** What is in the place of the cache, which is kept in memory for this run; a damaged or unwritable one is no reason for a notice. */
  readonly problem: string | undefined;
  flush(): void;
  close(): void;
};

function openOrRebuild(file: string, now: () => number): { db: DatabaseSync; problem?: string } {
  try {
    return { db: openCacheFile(file) };
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === "damaged") moveAside(file, now());
    try {
      return { db: openCacheFile(file) };
    } catch (again) {
      const problem = again instanceof ForeignFile ? again.message : undefined;
      return { db: openCacheFile(IN_MEMORY), ...(problem !== undefined && { problem }) };
    }
  }
}

/** Reads return nothing when the file cannot be read. */
export function openCacheDb(file: string, now: () => number, me: () => string | undefined): CacheDb {
  const { db, problem } = openOrRebuild(file, now);
  const statements = new Statements(db);
  const tables = new CacheTables(statements.get, me);
  const buffer = new CacheBuffer(db, tables);
  const later = (write: () => void): void => buffer.later(write);

  function read<T>(fallback: T, work: (sql: PrepareStatement) => T): T {
    buffer.flush();
    try {
      return work(statements.get);
    } catch {
      return fallback;
    }
  }

  return {
    problem,
    me: () => read(undefined, readMe),
    channels: (messages) => read([], (sql) => readChannels(sql, messages)),
    search: (question, limit, all) => read([], (sql) => searchCache(sql, question, limit, all)),
    saveMe(own) {
      const body = JSON.stringify(own);
      later(() => tables.putMe(body));
    },
    saveChannels: (states) =>
      later(() => {
        for (const state of states) {
          tables.putChannel(state);
          tables.putPage(state.channel.cid, state.messages);
        }
      }),
    saveMessages: (messages) =>
      later(() => {
        for (const message of messages) if (tables.message(message.id)) tables.putMessage(message);
      }),
    interrupted: () => later(() => tables.interrupted()),
    dropOlder: (cid, from) => later(() => tables.removeBefore(cid, from)),
    dropChannel: (cid) => later(() => tables.removeChannel(cid)),
    note(events) {
      for (const event of events) buffer.note(event);
    },
    flush: buffer.flush,
    close() {
      buffer.flush();
      statements.clear();
      db.close();
    },
  };
}

function readMe(sql: PrepareStatement): OwnUser | undefined {
  const raw = sql("SELECT body FROM me WHERE one = 1").get();
  return raw && (JSON.parse(raw.body as string) as OwnUser);
}

/** Parses the messages of a channel at once, which is faster than one by one. */
function readChannels(sql: PrepareStatement, messages: number): ChannelState[] {
  // The sign keeps SQLite from planning anew for each bound limit.
  const page = sql(
    `SELECT group_concat(body, ',') AS bodies FROM
       (SELECT body FROM (SELECT key, body FROM messages WHERE cid = ? ORDER BY key DESC LIMIT +?) ORDER BY key)`,
  );
  const states: ChannelState[] = [];
  // Row by row: all texts at once would outlive young garbage collections.
  for (const raw of sql("SELECT cid, state FROM channels ORDER BY activity DESC, cid").iterate()) {
    const { bodies } = page.get(raw.cid as string, messages) as { bodies: string | null };
    const state = JSON.parse(raw.state as string) as ChannelState;
    state.messages = bodies === null ? [] : (JSON.parse(`[${bodies}]`) as Message[]);
    states.push(state);
  }
  return states;
}
