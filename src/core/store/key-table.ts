/** Named values in state.db, and digests of what was sent under chosen ids. */
import { withStoreFailure } from "../../model/files/storage.ts";
import type { OpenFile } from "./statements.ts";
import type { Store } from "./store.ts";

export const PUT_VALUE =
  "INSERT INTO kv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

export function keyTable({ file, sql }: OpenFile): Pick<Store, "get" | "set"> {
  return {
    get<T>(key: string): T | undefined {
      return withStoreFailure(file, () => {
        const raw = sql("SELECT value FROM kv WHERE key = ?").get(`value ${key}`);
        return raw && (JSON.parse(raw.value as string) as T);
      });
    },
    set(key, value) {
      withStoreFailure(file, () => {
        if (value === undefined) sql("DELETE FROM kv WHERE key = ?").run(`value ${key}`);
        else sql(PUT_VALUE).run(`value ${key}`, JSON.stringify(value));
      });
    },
  };
}

/** Records kept; older ones are dropped. */
const MAX_FIRST_SENT = 10_000;

export function firstSentTable({ file, sql }: OpenFile): Pick<Store, "firstSent" | "recordFirstSent"> {
  return {
    firstSent: (id) =>
      withStoreFailure(file, () => {
        const row = sql("SELECT digest FROM first_sent WHERE message_id = ?").get(id);
        return row?.digest as string | undefined;
      }),
    recordFirstSent(id, digest) {
      withStoreFailure(file, () => {
        const { lastInsertRowid } = sql(
          "INSERT OR REPLACE INTO first_sent (message_id, digest) VALUES (?, ?)",
        ).run(id, digest);
        sql("DELETE FROM first_sent WHERE seq <= ?").run(Number(lastInsertRowid) - MAX_FIRST_SENT);
      });
    },
  };
}
