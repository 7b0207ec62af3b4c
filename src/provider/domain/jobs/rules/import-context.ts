/** What all items of one batch of an import share. */
import type { Database } from "../../../base/database.ts";

/** One batch of an import. */
export interface ImportContext {
  db: Database;
  importId: string;
  /** Whole microseconds. */
  now: number;
  /** Mode insert: what is there stays as it is. */
  insertOnly: boolean;
  /** `merge_custom`: old custom fields stay beside the new ones. */
  merge: boolean;
  /** Messages whose reactions changed. */
  reacted: Set<string>;
}
