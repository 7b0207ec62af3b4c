/** The file state.db: the outbox, drafts with the history of those that lost, and small values; every write is durable (D1, D10). */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import { asItLies } from "../../model/storage.ts";
import { guarded, moveAside, openFile, transaction } from "./file.ts";
import { isOwnerAlive } from "../../model/owner.ts";
import { StoreFailure } from "./store.ts";
import type { LocalDraft, OutboxRow, Store } from "./store.ts";

/** Versions from before they were counted have these tables already. */
const MIGRATIONS = [
  `
CREATE TABLE IF NOT EXISTS outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  action TEXT NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL,
  owner TEXT NOT NULL,
  created_at REAL NOT NULL,
  not_before REAL,
  error TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS drafts (
  cid TEXT NOT NULL, parent_id TEXT NOT NULL, updated_at REAL NOT NULL, draft TEXT NOT NULL,
  PRIMARY KEY (cid, parent_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS draft_history (
  id INTEGER PRIMARY KEY, cid TEXT NOT NULL, parent_id TEXT NOT NULL, updated_at REAL NOT NULL, draft TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS kv (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`,
];
/** Lost drafts kept in all. */
const HISTORY = 50;
const LEASE = "lease";

interface RawRow {
  seq: number;
  message_id: string;
  cid: string;
  action: string;
  state: OutboxRow["state"];
  tries: number;
  owner: string;
  created_at: number;
  not_before: number | null;
  error: string | null;
}

function fromRaw(raw: RawRow): OutboxRow {
  return {
    seq: raw.seq,
    messageId: raw.message_id,
    cid: raw.cid,
    action: JSON.parse(raw.action) as OutboxRow["action"],
    state: raw.state,
    tries: raw.tries,
    owner: raw.owner,
    createdAt: raw.created_at,
    ...(raw.not_before !== null && { notBefore: raw.not_before }),
    ...(raw.error !== null && { error: JSON.parse(raw.error) as NonNullable<OutboxRow["error"]> }),
  };
}

export type StateDb = Omit<Store, "cache" | "settle"> & {
  settle(seq: number): void;
  /** Where a damaged predecessor was put, when there was one. */
  readonly movedTo: string | undefined;
  /** What of it stands in the new file. */
  readonly saved: Saved | undefined;
};

export interface Saved {
  messages: number;
  drafts: number;
}

/** Opens the file; a damaged one is moved aside and its outbox and drafts are saved row by row. */
export function openStateDb(file: string, now: () => number): StateDb {
  let movedTo: string | undefined;
  let saved: Saved | undefined;
  let db: DatabaseSync;
  try {
    db = openFile(file, "FULL", MIGRATIONS);
    checkWhole(db, file);
  } catch (error) {
    if (!(error instanceof StoreFailure) || error.kind !== "damaged") throw error;
    movedTo = moveAside(file, now());
    db = openFile(file, "FULL", MIGRATIONS);
    saved = salvage(db, movedTo);
  }
  return { ...operate(db, file), movedTo, saved };
}

function checkWhole(db: DatabaseSync, file: string): void {
  const result = guarded(file, () => db.prepare("PRAGMA quick_check(1)").get()) as { quick_check: string };
  if (result.quick_check === "ok") return;
  db.close();
  throw new StoreFailure("damaged", `${file} is damaged: ${result.quick_check}`);
}

/** Copies what can still be read, from both ends of what cannot: an unreadable row costs only itself and its neighbours. */
function salvage(db: DatabaseSync, from: string): Saved {
  let old: DatabaseSync | undefined;
  try {
    old = new DatabaseSync(existsSync(`${from}-wal`) ? from : asItLies(from), { readOnly: true });
    for (const [table, order] of SAVED)
      if (!copyRows(old, db, table, `${order} ASC`)) copyRows(old, db, table, `${order} DESC`);
  } catch {
    // What cannot even be opened has nothing to give.
  } finally {
    if (old?.isOpen) old.close();
  }
  const count = (table: string): number =>
    (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  return { messages: count("outbox"), drafts: count("drafts") };
}

/** Tables and what their rows lie in the order of. */
const SAVED = [
  ["outbox", "seq"],
  ["drafts", "cid"],
  ["draft_history", "id"],
  ["kv", "key"],
] as const;

/** False when the table broke off before its end. */
function copyRows(old: DatabaseSync, db: DatabaseSync, table: string, order: string): boolean {
  try {
    let insert: StatementSync | undefined;
    const rows = old.prepare(`SELECT * FROM ${table} ORDER BY ${order}`);
    for (const row of rows.iterate() as Iterable<Record<string, never>>) {
      const names = Object.keys(row);
      insert ??= db.prepare(
        `INSERT OR IGNORE INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      );
      try {
        insert.run(...names.map((name) => row[name]!));
      } catch {
        // A damaged row that breaks the rules of its table is not worth the others.
      }
    }
    return true;
  } catch {
    return false;
  }
}

function operate(db: DatabaseSync, file: string): Omit<StateDb, "movedTo" | "saved"> {
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = db.prepare(text)));
    return statement;
  };
  const keyOf = (parentId: string | undefined): string => parentId ?? "";

  function readDraft(cid: string, parentId: string | undefined): LocalDraft | undefined {
    const raw = sql("SELECT draft FROM drafts WHERE cid = ? AND parent_id = ?").get(cid, keyOf(parentId));
    return raw && (JSON.parse(raw.draft as string) as LocalDraft);
  }

  /** D10: the draft that another program wrote meanwhile is not lost silently. */
  function keepLoser(draft: LocalDraft): void {
    sql("INSERT INTO draft_history (cid, parent_id, updated_at, draft) VALUES (?, ?, ?, ?)").run(
      draft.cid,
      keyOf(draft.parentId),
      draft.updatedAt,
      JSON.stringify(draft),
    );
    sql("DELETE FROM draft_history WHERE id <= (SELECT max(id) FROM draft_history) - ?").run(HISTORY);
  }
  /** `cid parent` → text this program last saw or wrote. */
  const known = new Map<string, string | undefined>();

  return {
    enqueue(row, clearDraft) {
      return transaction(db, file, () => {
        const { lastInsertRowid } = sql(
          `INSERT INTO outbox (message_id, cid, action, state, tries, owner, created_at, not_before, error)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          row.messageId,
          row.cid,
          JSON.stringify(row.action),
          row.state,
          row.tries,
          row.owner,
          row.createdAt,
          row.notBefore ?? null,
          row.error ? JSON.stringify(row.error) : null,
        );
        if (clearDraft) {
          sql("DELETE FROM drafts WHERE cid = ? AND parent_id = ?").run(
            clearDraft.cid,
            keyOf(clearDraft.parentId),
          );
          known.delete(`${clearDraft.cid} ${keyOf(clearDraft.parentId)}`);
        }
        return { ...row, seq: Number(lastInsertRowid) };
      });
    },
    outbox: () =>
      guarded(file, () =>
        (sql("SELECT * FROM outbox ORDER BY seq").all() as unknown as RawRow[]).map(fromRaw),
      ),
    update(seq, change) {
      guarded(file, () => {
        const raw = sql("SELECT * FROM outbox WHERE seq = ?").get(seq) as unknown as RawRow | undefined;
        if (!raw) return;
        const next = { ...fromRaw(raw), ...change };
        sql(
          "UPDATE outbox SET action = ?, state = ?, tries = ?, owner = ?, not_before = ?, error = ? WHERE seq = ?",
        ).run(
          JSON.stringify(next.action),
          next.state,
          next.tries,
          next.owner,
          next.notBefore ?? null,
          next.error ? JSON.stringify(next.error) : null,
          seq,
        );
      });
    },
    settle: (seq) => guarded(file, () => void sql("DELETE FROM outbox WHERE seq = ?").run(seq)),
    remove: (seq) => guarded(file, () => void sql("DELETE FROM outbox WHERE seq = ?").run(seq)),
    lease(owner) {
      return transaction(db, file, () => {
        const held = sql("SELECT value FROM kv WHERE key = ?").get(LEASE)?.value as string | undefined;
        if (held === owner) return true;
        if (held !== undefined && isOwnerAlive(held)) return false;
        sql(
          "INSERT INTO kv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        ).run(LEASE, owner);
        return true;
      });
    },
    alive: isOwnerAlive,
    draft: (cid, parentId) =>
      guarded(file, () => {
        const draft = readDraft(cid, parentId);
        known.set(`${cid} ${keyOf(parentId)}`, draft?.text);
        return draft;
      }),
    drafts: () =>
      guarded(file, () =>
        sql("SELECT draft FROM drafts ORDER BY updated_at DESC")
          .all()
          .map((raw) => JSON.parse(raw.draft as string) as LocalDraft),
      ),
    saveDraft(draft) {
      transaction(db, file, () => {
        const place = `${draft.cid} ${keyOf(draft.parentId)}`;
        const held = readDraft(draft.cid, draft.parentId);
        const expected = known.get(place);
        // What this program wrote itself is no rival, even when the wall clock has gone back since.
        const rival = held !== undefined && held.text !== expected;
        const loser = rival && held.updatedAt > draft.updatedAt ? draft : held;
        if (held && loser && held.text !== expected && held.text !== draft.text) keepLoser(loser);
        if (held && loser === draft) return;
        sql(
          `INSERT INTO drafts (cid, parent_id, updated_at, draft) VALUES (?, ?, ?, ?)
           ON CONFLICT (cid, parent_id) DO UPDATE SET updated_at = excluded.updated_at, draft = excluded.draft`,
        ).run(draft.cid, keyOf(draft.parentId), draft.updatedAt, JSON.stringify(draft));
        known.set(place, draft.text);
      });
    },
    dropDraft(cid, parentId) {
      guarded(file, () => {
        sql("DELETE FROM drafts WHERE cid = ? AND parent_id = ?").run(cid, keyOf(parentId));
        known.delete(`${cid} ${keyOf(parentId)}`);
      });
    },
    lostDrafts: (cid, parentId) =>
      guarded(file, () =>
        sql("SELECT draft FROM draft_history WHERE cid = ? AND parent_id = ? ORDER BY id DESC")
          .all(cid, keyOf(parentId))
          .map((raw) => JSON.parse(raw.draft as string) as LocalDraft),
      ),
    get<T>(key: string): T | undefined {
      return guarded(file, () => {
        const raw = sql("SELECT value FROM kv WHERE key = ?").get(`value ${key}`);
        return raw && (JSON.parse(raw.value as string) as T);
      });
    },
    set(key, value) {
      guarded(file, () => {
        if (value === undefined) return void sql("DELETE FROM kv WHERE key = ?").run(`value ${key}`);
        sql(
          "INSERT INTO kv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        ).run(`value ${key}`, JSON.stringify(value));
      });
    },
    close() {
      prepared.clear();
      db.close();
    },
  };
}
