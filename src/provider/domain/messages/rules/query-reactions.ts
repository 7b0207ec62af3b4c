/** POST …/reactions: the reactions of a message by filter and sort, with cursors (specification/messages.md §9.2). */
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader } from "../../validation/check.ts";
import { readListing } from "../../query/listing.ts";
import { People } from "../../users/view/users.ts";
import { messageFor } from "../view/visibility.ts";
import { storedReaction, REACTION_LIST, reactionPage } from "../storage/reactions.ts";

export function queryReactions(call: RouteCall): Reply<"queryReactions"> {
  const { body, db } = call;
  const { row } = messageFor(call);
  const check = new BodyReader(body);
  const listing = readListing(check, body, REACTION_LIST, row.id);
  check.done();
  const { rows, ...cursors } = reactionPage(db, row.id, listing);
  const people = new People(db, call.emit);
  people.load(rows.map((reaction) => reaction.user_id));
  return {
    reactions: rows.map((reaction) => ({ ...storedReaction(reaction), user: people.get(reaction.user_id) })),
    ...cursors,
  };
}
