/** The blocklists, cached until one changes. */
import type { Blocklist } from "../../../../wire/entities/blocklist.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import { cachedByStamp } from "../../../store/cached-by-stamp.ts";
import { BLOCKLIST_STAMP, storedBlocklists } from "./schema.ts";

/** All lists by name, at this point of the transaction. */
export const blocklistsOf: (db: Database) => ReadonlyMap<string, Blocklist> = cachedByStamp(
  BLOCKLIST_STAMP,
  (db) =>
    new Map(
      storedBlocklists.list(db, {}, { by: ["name"] }).map((row) => [
        row.name,
        {
          name: row.name,
          type: row.type,
          words: JSON.parse(row.words) as string[],
          created_at: timeFromMicros(row.created_at),
          updated_at: timeFromMicros(row.updated_at),
        },
      ]),
    ),
);
