/** What all items of an import's batch share. */
import type { Database } from "../../../base/database.ts";

export interface ImportContext {
  db: Database;
  importId: string;
  /** Whole microseconds. */
  now: number;
  /** Mode `insert`: stored objects are not changed. */
  insertOnly: boolean;
  /** `merge_custom`: stored custom fields are kept beside the new ones. */
  merge: boolean;
  /** Ids of messages whose reactions changed. */
  reactedMessageIds: Set<string>;
}
