/** Reads the entities that the rows of an archive hold as JSON, passing over damaged ones and naming them. */
import { parseBounded } from "../../wire/bounded-json.ts";

/** Fields without which a row of a table cannot be shown; every row also has its own key. */
const NEEDED = {
  channels: ["cid", "type", "id"],
  users: ["id"],
  members: ["user_id"],
  reads: ["user.id"],
  messages: ["id", "cid", "created_at", "user.id"],
  reactions: ["type", "user_id"],
  polls: ["id"],
  votes: ["id"],
} as const;
export type RowTable = keyof typeof NEEDED;
export const ROW_TABLES = Object.keys(NEEDED) as RowTable[];

/** The columns that name a row of each table. */
export const ROW_KEYS: Readonly<Record<RowTable, string>> = {
  channels: "cid",
  users: "id",
  members: "user_id",
  reads: "user_id",
  messages: "id",
  reactions: "message_id || ' ' || type || ' ' || user_id",
  polls: "id",
  votes: "id",
};

const has = (value: unknown, path: string): boolean =>
  typeof path
    .split(".")
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], value) === "string";

/** The entity of a row; undefined if it is damaged. */
export function entityOf<T>(table: RowTable, raw: unknown): T | undefined {
  const value = parseBounded(String(raw));
  return NEEDED[table].every((path) => has(value, path)) ? (value as T) : undefined;
}

/** Reads rows with the columns `raw` and `key`; `damaged` names those passed over, such as `messages ana-7f3c`. */
export class ArchivedRows {
  readonly damaged = new Set<string>();

  one<T>(table: RowTable, { raw, key }: Record<string, unknown>): T | undefined {
    const entity = entityOf<T>(table, raw);
    if (entity === undefined) this.damaged.add(`${table} ${String(key)}`);
    return entity;
  }

  *all<T>(table: RowTable, rows: Iterable<Record<string, unknown>>): Iterable<T> {
    for (const row of rows) {
      const entity = this.one<T>(table, row);
      if (entity !== undefined) yield entity;
    }
  }
}
