/** Push providers of the app as they are stored. */
import type { Database } from "../../../store/database.ts";

/** The names of those of one type. */
export function pushProviderNames(db: Database, type: string): string[] {
  return db
    .all<{ name: string }>("SELECT name FROM push_providers WHERE type = ?", type)
    .map(({ name }) => name);
}
