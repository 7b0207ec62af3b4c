/** Named values in state.db. */
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
