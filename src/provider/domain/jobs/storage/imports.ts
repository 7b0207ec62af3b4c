/** The table of imports: their progress and results. */
import type { ImportMode, ImportState } from "../../../../wire/entities/import.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";

/** How an import treats what exists: the protocol's two modes, and the two of the embedded provider's owner (specification/admin.md §10). */
export type StoringMode = ImportMode | "complete" | "replace";

export const imports = table(
  "imports",
  {
    id: TEXT.key,
    path: TEXT,
    mode: TEXT.as<StoringMode>(),
    merge_custom: INTEGER,
    state: TEXT.as<ImportState>(),
    size: INTEGER,
    created_at: INTEGER,
    updated_at: INTEGER,
    history: TEXT,
    /** JSON. */
    result: TEXT,
    /** Bytes of the file that were read in this state. */
    at: INTEGER.default(0),
    /** In the analysis its pass, while storing the round. */
    rank: INTEGER.default(0),
  },
  {
    noun: "Import",
    indexes: {
      imports_by_age: "(created_at DESC, id)",
      imports_open: "(updated_at, id) WHERE state NOT IN ('analyze_failed', 'completed', 'failed')",
    },
  },
);
export type ImportRow = RowOf<typeof imports>;

/** The unfinished import whose last step was the longest ago. */
export function openImport(db: Database): ImportRow | undefined {
  return db.get<ImportRow>(
    `SELECT * FROM imports WHERE state NOT IN ('analyze_failed', 'completed', 'failed') ORDER BY updated_at, id LIMIT 1`,
  );
}
