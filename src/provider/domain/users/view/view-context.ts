/** The context shared by all views of one call: viewer and time. */
import type { Emit } from "../../../base/emit.ts";
import type { Database } from "../../../base/database.ts";
import { People } from "./users.ts";

/** `viewer` is undefined in events, which go to everybody. `now` in whole microseconds. */
export interface ViewContext {
  db: Database;
  people: People;
  viewer: string | undefined;
  now: number;
  /** An event that reaches everybody: replies for some only do not count in it. */
  forEverybody?: boolean;
  /** Whether a server asked for the content of soft-deleted messages. */
  showDeleted?: boolean;
}

/** Creates the context; without `viewer` the views have no personal data. `now` in whole microseconds. */
export function viewContext(db: Database, emit: Emit, now: number, viewer?: string): ViewContext {
  return { db, people: new People(db, emit), viewer, now };
}
