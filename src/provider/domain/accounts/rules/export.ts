/** GET /users/{id}/export: everything a user wrote, for the user's own records (specification/users.md §5). */
import { USER_EXPORT_LIMIT } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";
import { invalidField } from "../../validation/check.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";
import { viewContext, messageViews, storedReaction, type ReactionRow } from "../../messages/view/messages.ts";
import { fullUser } from "../../users/view/full-view.ts";
import { People } from "../../users/view/users.ts";
import { findUser } from "../../users/storage/rows.ts";

/** At most the limit and one, so that more is noticed without being read. */
function rowsOf<T extends object>(db: Database, table: "messages" | "reactions", userId: string): T[] {
  const rows = db.all<T>(
    `SELECT * FROM ${table} WHERE user_id = ? ORDER BY created_at LIMIT ?`,
    userId,
    USER_EXPORT_LIMIT + 1,
  );
  if (rows.length > USER_EXPORT_LIMIT)
    throw invalidField(
      "id",
      `names a user with more than ${USER_EXPORT_LIMIT} ${table}: export it by channels`,
    );
  return rows;
}

export function exportUser(call: RouteCall): Reply<"exportUser"> {
  const { db, emit } = call;
  const id = call.path.id ?? "";
  const row = findUser(db, id);
  if (!row) throw new ApiProblem(16, `User ${id} does not exist`);
  const now = call.now();
  const people = new People(db, emit);
  people.add(row);
  return {
    user: fullUser({ db, emit, now }, row, "server"),
    messages: messageViews(viewContext(db, emit, now, id), rowsOf<MessageRow>(db, "messages", id)),
    reactions: rowsOf<ReactionRow>(db, "reactions", id).map((one) => ({
      ...storedReaction(one),
      user: people.get(id),
    })),
  };
}
