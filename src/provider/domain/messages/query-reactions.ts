/** POST …/reactions: the reactions of a message by filter and sort, with cursors (messages.md §9.2). */
import { QUERY_REACTIONS_LIMIT } from "../../../wire/constants.ts";
import type { Call, Reply } from "../../handler.ts";
import { Check } from "../asked/check.ts";
import { bindingOf, listPage, readCursor, readOrder } from "../query/cursor.ts";
import { compileFilter, join } from "../query/filter.ts";
import { textField, timeField } from "../query/filter-fields.ts";
import { People } from "../users/view.ts";
import { messageFor } from "./read.ts";
import { storedReaction, type ReactionRow } from "./view.ts";

const FIELDS = {
  type: textField("r.type", ["$eq", "$in"]),
  user_id: textField("r.user_id", ["$eq", "$in"]),
  created_at: timeField("r.created_at", ["$eq", "$gt", "$gte", "$lt", "$lte"]),
};

export function queryReactions(call: Call): Reply {
  const { body, db } = call;
  const { row } = messageFor(call);
  const check = new Check(body);
  const wanted = compileFilter(
    body.filter,
    (name) => (Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : undefined),
    check,
    "filter",
  );
  const keys = readOrder(
    body.sort,
    (name) => (name === "created_at" ? "r.created_at" : undefined),
    check,
    // a user has one reaction of each type: the two together are unique
    {
      fallback: [{ expression: "r.created_at", direction: -1 }],
      tie: { expression: "(r.user_id || '/' || r.type)", direction: -1 },
    },
  );
  const limit = check.limit(QUERY_REACTIONS_LIMIT);
  const binding = bindingOf("reactions", row.id, body.filter, body.sort);
  const cursor = readCursor(check, binding, keys);
  check.done();
  const { rows, ...cursors } = listPage<ReactionRow>(db, {
    columns: "r.*",
    from: "reactions r",
    where: join([{ text: "r.message_id = ?", values: [row.id] }, wanted], " AND "),
    keys,
    limit,
    binding,
    cursor,
  });
  const people = new People(db, call.emit);
  people.load(rows.map((one) => one.user_id));
  return {
    reactions: rows.map((one) => ({ ...storedReaction(one), user: people.get(one.user_id) })),
    ...cursors,
  };
}
