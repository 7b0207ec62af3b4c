/** The table of command previews, which wait for a button or expire; they are not messages until they are sent. */
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";

export const commandPreviews = table(
  "previews",
  {
    id: TEXT.key,
    cid: TEXT,
    user_id: TEXT,
    created_at: INTEGER,
    expires: INTEGER,
    /** Which picture is shown, counted from the first. */
    turn: INTEGER.default(0),
    /** JSON of what was sent. */
    data: TEXT,
  },
  { indexes: { previews_by_end: "(expires)", previews_of_channel: "(cid)" } },
);
export type PreviewRow = RowOf<typeof commandPreviews>;

export const findPreview = (db: Database, id: string, now: number): PreviewRow | undefined =>
  commandPreviews.find(db, { id, expires: { after: now } });
