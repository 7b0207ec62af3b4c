/** The table of writes on their way in state.db, and the lease on those of programs that have ended (D1). */
import { isOwnerAlive } from "../../model/owner.ts";
import { guarded, transaction } from "./file.ts";
import { PUT_VALUE } from "./key-table.ts";
import type { OpenFile } from "./statements.ts";
import type { OutboxRow, Store } from "./store.ts";

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

const jsonOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** `clearDraft` runs in the transaction of the row that was written out of it. */
export function outboxTable(
  { db, file, sql }: OpenFile,
  clearDraft: (cid: string, parentId?: string) => void,
): Pick<Store, "enqueue" | "outbox" | "update" | "remove" | "lease"> & { settle(seq: number): void } {
  const remove = (seq: number): void =>
    guarded(file, () => void sql("DELETE FROM outbox WHERE seq = ?").run(seq));

  return {
    enqueue(row, draft) {
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
          jsonOf(row.error),
        );
        if (draft) clearDraft(draft.cid, draft.parentId);
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
        const { action, state, tries, owner, notBefore, error } = { ...fromRaw(raw), ...change };
        sql(
          "UPDATE outbox SET action = ?, state = ?, tries = ?, owner = ?, not_before = ?, error = ? WHERE seq = ?",
        ).run(JSON.stringify(action), state, tries, owner, notBefore ?? null, jsonOf(error), seq);
      });
    },
    settle: remove,
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
