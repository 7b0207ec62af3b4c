/** GET /users/{id}/export: a user's profile, messages and reactions (specification/users.md §5). */
import { USER_EXPORT_LIMIT } from "../../../../wire/constants.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { invalidField } from "../../validation/check.ts";
import { messageViews } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { fullUser } from "../../users/view/private-view.ts";
import { People } from "../../users/view/users.ts";
import { findUser, noUser } from "../../users/storage/rows.ts";
import { messagesOfUser, reactionsOfUser } from "../../messages/storage/by-user.ts";
import { storedReaction } from "../../messages/storage/reactions.ts";

/** Throws for a user with too much to export. The rows were read up to one more than the limit. */
function checkCount<T>(rows: T[], what: "messages" | "reactions"): T[] {
  if (rows.length > USER_EXPORT_LIMIT)
    throw invalidField(
      "id",
      `names a user with more than ${USER_EXPORT_LIMIT} ${what}: export it by channels`,
    );
  return rows;
}

export function exportUser(call: RouteCall): Reply<"exportUser"> {
  const { db, emit } = call;
  const id = call.path.id ?? "";
  const row = findUser(db, id);
  if (!row) throw noUser(id);
  const now = call.now();
  const people = new People(db, emit);
  people.add(row);
  const limit = USER_EXPORT_LIMIT + 1;
  return {
    user: fullUser({ db, emit, now }, row, "server"),
    messages: messageViews(
      viewContext(db, emit, now, id),
      checkCount(messagesOfUser(db, id, limit), "messages"),
    ),
    reactions: checkCount(reactionsOfUser(db, id, limit), "reactions").map((reaction) => ({
      ...storedReaction(reaction),
      user: people.get(id),
    })),
  };
}
