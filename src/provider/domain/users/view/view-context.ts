/** Who looks and when: what all views of one call share. */
import type { Emit } from "../../../base/emit.ts";
import type { Database } from "../../../base/database.ts";
import { People } from "./users.ts";

/** What a set of views shares: the reader (undefined in events, which are for everybody) and the provider's time. */
export interface ViewContext {
  db: Database;
  people: People;
  viewer: string | undefined;
  now: number;
  /** A server asked for what a softly deleted message held. */
  showDeleted?: boolean;
}

/** How views are drawn: for nobody without `viewer` (events), else with what is its own. `now` in whole microseconds. */
export function viewContext(db: Database, emit: Emit, now: number, viewer?: string): ViewContext {
  return { db, people: new People(db, emit), viewer, now };
}
