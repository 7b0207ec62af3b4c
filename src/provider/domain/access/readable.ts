/** Which channels a user may read, as a condition for lists of what is the user's own but lives in channels. */
import type { Call } from "../../handler.ts";
import type { Sql } from "../query/filter-fields.ts";
import { findUser } from "../users/view.ts";
import { openTypes } from "./policy.ts";

/** Condition on channel `c`: it is there, not disabled, and the user is in it, made it, or its type is open to the user's role. */
export function readableChannel(call: Pick<Call, "db">, userId: string): Sql {
  const types = openTypes(findUser(call.db, userId)?.role ?? "user");
  return {
    text: `c.deleted_at IS NULL AND c.disabled = 0 AND (c.created_by = ?
      OR EXISTS (SELECT 1 FROM members x WHERE x.cid = c.cid AND x.user_id = ?)
      OR c.type IN (SELECT value FROM json_each(?)))`,
    values: [userId, userId, JSON.stringify(types)],
  };
}
