/** Lists of polls and of the votes of one poll (specification/polls.md §5.1). */
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { can, canInType, requireFeature } from "../../access/view/policy.ts";
import { readableChannel } from "../../access/view/readable.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { type Sql, EVERY_ROW, NO_ROW } from "../../query/filter-fields.ts";
import { listingPage, readOnlyListing } from "../../query/listing.ts";
import { requireReadPoll, readersPermissions } from "./poll-messages.ts";
import { APP_SCOPE } from "../../access/storage/grants.ts";
import { reader } from "./polls.ts";
import { polls, dataOf, type PollRow } from "../storage/rows.ts";
import { isAnonymous, pollView, voteView } from "../view/polls.ts";
import { POLL_LIST, visiblePolls, voteList } from "../storage/lists.ts";

/** The condition for polls that the user created, or may see in a message. */
function visible(call: RouteCall, userId: string | undefined): Sql {
  if (call.caller.kind === "server") return EVERY_ROW;
  if (userId === undefined) return NO_ROW;
  return visiblePolls(userId, readableChannel(call, userId));
}

export function queryPolls(call: RouteCall): Reply<"queryPolls"> {
  const { db } = call;
  const me = reader(call);
  if (!canInType(call, APP_SCOPE, "query-polls"))
    throw ApiProblem.notAllowed("You are not allowed to list polls");
  const listing = readOnlyListing(call.body, POLL_LIST, me?.id);
  const { rows, ...cursors } = listingPage(db, listing, visible(call, me?.id));
  const context = viewContext(db, call.emit, call.now(), me?.id);
  return { polls: rows.map((row) => pollView(context, row)), ...cursors };
}

/** Requires the creator, a server, or the right to list votes in a channel with the poll. */
function requireListVotes(call: RouteCall, row: PollRow, userId: string | undefined): void {
  requireReadPoll(call, row, userId);
  if (call.caller.kind === "server" || row.created_by === userId) return;
  const readable = readersPermissions(call, row.id);
  const allowed = readable.filter((permissions) => can(permissions, "query-votes"));
  if (allowed.length === 0) throw ApiProblem.notAllowed("You are not allowed to list votes of this poll");
  if (!allowed.some((permissions) => permissions.config.polls)) requireFeature(allowed[0]!, "polls", "polls");
}

export function queryPollVotes(call: RouteCall): Reply<"queryPollVotes"> {
  const { db } = call;
  const poll = polls.need(db, { id: call.path.poll_id ?? "" });
  const me = reader(call);
  requireListVotes(call, poll, me?.id);
  const anonymous = isAnonymous(dataOf(poll));
  const listing = readOnlyListing(call.body, voteList(anonymous, me?.id), poll.id, me?.id);
  const { rows, ...cursors } = listingPage(db, listing);
  const context = viewContext(db, call.emit, call.now(), me?.id);
  if (!anonymous) context.people.load(rows.map((row) => row.user_id));
  return { votes: rows.map((row) => voteView(context, row, anonymous)), ...cursors };
}
