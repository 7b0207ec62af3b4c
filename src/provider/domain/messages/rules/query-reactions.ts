/** POST …/reactions: the reactions of a message by filter and sort, with cursors (specification/messages.md §9.2). */
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader } from "../../validation/check.ts";
import { listPage } from "../../query/cursor.ts";
import { join } from "../../query/filter.ts";
import { textField, timeField } from "../../query/filter-fields.ts";
import { named, readListing } from "../../query/listing.ts";
import { People } from "../../users/view/users.ts";
import { messageFor } from "../view/reading.ts";
import { type ReactionRow, storedReaction } from "../storage/reactions.ts";

const FIELDS = {
  type: textField("r.type", ["$eq", "$in"]),
  user_id: textField("r.user_id", ["$eq", "$in"]),
  created_at: timeField("r.created_at", ["$eq", "$gt", "$gte", "$lt", "$lte"]),
};

export function queryReactions(call: RouteCall): Reply<"queryReactions"> {
  const { body, db } = call;
  const { row } = messageFor(call);
  const check = new BodyReader(body);
  const listing = readListing(check, body, {
    of: ["reactions", row.id],
    fields: named(FIELDS),
    orders: named({ created_at: "r.created_at" }),
    fallback: [{ expression: "r.created_at", direction: -1 }],
    // a user has one reaction of each type: the two together are unique
    tie: { expression: "(r.user_id || '/' || r.type)", direction: -1 },
    limit: messageBodies.queryReactions.limit,
  });
  check.done();
  const { rows, ...cursors } = listPage<ReactionRow>(db, {
    ...listing,
    columns: "r.*",
    from: "reactions r",
    where: join([{ text: "r.message_id = ?", values: [row.id] }, listing.where], " AND "),
  });
  const people = new People(db, call.emit);
  people.load(rows.map((one) => one.user_id));
  return {
    reactions: rows.map((one) => ({ ...storedReaction(one), user: people.get(one.user_id) })),
    ...cursors,
  };
}
