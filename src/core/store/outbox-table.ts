/** The outbox table in state.db, and the lease to take over rows of ended processes (D1). */
import { existsSync } from "node:fs";
import { isOwnerAlive } from "../../model/files/owner.ts";
import { StoreFailure, withStoreFailure } from "../../model/files/storage.ts";
import { IN_MEMORY } from "./file.ts";
import { PUT_VALUE } from "./key-table.ts";
import type { OpenFile } from "./statements.ts";
import type { Store } from "./store.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import { transaction } from "../../model/files/transaction.ts";

export const LEASE = "lease";

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
  once: number;
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
    ...(raw.once === 1 && { once: true }),
    ...(raw.error !== null && { error: JSON.parse(raw.error) as NonNullable<OutboxRow["error"]> }),
  };
}

/** The columns that change while a row waits. */
const CHANGING = ["action", "state", "tries", "owner", "not_before", "error", "once"] as const;

const toRaw = (row: Omit<OutboxRow, "seq" | "messageId" | "cid" | "createdAt">) => ({
  action: JSON.stringify(row.action),
  state: row.state,
  tries: row.tries,
  owner: row.owner,
  not_before: row.notBefore ?? null,
  error: jsonOf(row.error),
  once: Number(row.once === true),
});

const jsonOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** `clearDraft` runs in the transaction that stores the message of the draft. */
export function outboxTable(
  { db, file, sql }: OpenFile,
  clearDraft: (cid: string, parentId?: string) => void,
): Pick<Store, "enqueue" | "outbox" | "update" | "remove" | "lease"> & { settle(seq: number): void } {
  const remove = (seq: number): void =>
    withStoreFailure(file, () => void sql("DELETE FROM outbox WHERE seq = ?").run(seq));

  return {
    enqueue(row, draft) {
      return transaction(db, file, () => {
        // Whoever erased the app's data has removed the file of a program that has it open: a row in it would be lost.
        if (file !== IN_MEMORY && !existsSync(file))
          throw new StoreFailure("other", `${file} was removed: start again`);
        const raw = toRaw(row);
        const { lastInsertRowid } = sql(
          `INSERT INTO outbox (message_id, cid, created_at, ${CHANGING.join(", ")})
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(row.messageId, row.cid, row.createdAt, ...CHANGING.map((name) => raw[name]));
        if (draft) clearDraft(draft.cid, draft.parentId);
        return { ...row, seq: Number(lastInsertRowid) };
      });
    },
    outbox: () =>
      withStoreFailure(file, () =>
        (sql("SELECT * FROM outbox ORDER BY seq").all() as unknown as RawRow[]).map(fromRaw),
      ),
    update(seq, change) {
      withStoreFailure(file, () => {
        const raw = sql("SELECT * FROM outbox WHERE seq = ?").get(seq) as unknown as RawRow | undefined;
        if (!raw) return;
        const next = toRaw({ ...fromRaw(raw), ...change });
        // Skip the write when the row was stored in this state already.
        if (CHANGING.every((name) => raw[name] === next[name])) return;
        sql(
          "UPDATE outbox SET action = ?, state = ?, tries = ?, owner = ?, not_before = ?, error = ?, once = ? WHERE seq = ?",
        ).run(...CHANGING.map((name) => next[name]), seq);
      });
    },
    settle(seq) {
      // Without fsync a power loss may bring the row back; then it is looked up at the provider.
      withStoreFailure(file, () => db.exec("PRAGMA synchronous = NORMAL"));
      try {
        remove(seq);
      } finally {
        withStoreFailure(file, () => db.exec("PRAGMA synchronous = FULL"));
      }
    },
    remove,
    lease(owner) {
      return transaction(db, file, () => {
        const held = sql("SELECT value FROM kv WHERE key = ?").get(LEASE)?.value as string | undefined;
        if (held === owner) return true;
        if (held !== undefined && isOwnerAlive(held)) return false;
        sql(PUT_VALUE).run(LEASE, owner);
        return true;
      });
    },
  };
}
