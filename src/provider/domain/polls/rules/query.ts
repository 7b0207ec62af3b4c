/** Lists of polls and of the votes of one poll (specification/polls.md §5.1). */
import { pollBodies } from "../../../../wire/bodies/polls.ts";
import type { FilterOperator } from "../../../../wire/query.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { can, canInType, requireFeature, notAllowed } from "../../access/view/policy.ts";
import { readableChannel } from "../../access/view/readable.ts";
import { BodyReader } from "../../validation/check.ts";
import { viewContext } from "../../messages/view/messages.ts";
import { listPage } from "../../query/cursor.ts";
import {
  boolField,
  flagField,
  numberField,
  textField,
  timeField,
  type Field,
  type Sql,
} from "../../query/filter-fields.ts";
import { join } from "../../query/filter.ts";
import { named, readListing } from "../../query/listing.ts";
import { requireReadPoll, sightings } from "./holders.ts";
import { APP, reader } from "./polls.ts";
import { dataOf, pollRow, type PollRow, type VoteRow } from "../storage/rows.ts";
import { isAnonymous, pollView, voteView } from "../view/polls.ts";

const SOME: readonly FilterOperator[] = ["$eq", "$in"];
const TIMES: readonly FilterOperator[] = ["$eq", "$gt", "$lt", "$gte", "$lte"];
const inData = (name: string): string => `json_extract(p.data, '$.${name}')`;
const flag = (column: string): Field => ({ ...boolField(column), ops: ["$eq"] });

/** What polls can be filtered by; each of them also sorts. */
const POLL: Record<string, { column: string; field: Field }> = Object.fromEntries(
  (
    [
      ["id", "p.id", textField("p.id", SOME)],
      ["poll_id", "p.id", textField("p.id", SOME)],
      ["name", inData("name"), textField(inData("name"), SOME)],
      ["created_by_id", "p.created_by", textField("p.created_by", SOME)],
      ["voting_visibility", inData("voting_visibility"), textField(inData("voting_visibility"), ["$eq"])],
      ["is_closed", "p.closed", flag("p.closed")],
      ["allow_answers", inData("allow_answers"), flag(inData("allow_answers"))],
      [
        "allow_user_suggested_options",
        inData("allow_user_suggested_options"),
        flag(inData("allow_user_suggested_options")),
      ],
      ["max_votes_allowed", inData("max_votes_allowed"), numberField(inData("max_votes_allowed"))],
      ["created_at", "p.created_at", timeField("p.created_at", TIMES)],
      ["updated_at", "p.updated_at", timeField("p.updated_at", TIMES)],
    ] as [string, string, Field][]
  ).map(([name, column, field]) => [name, { column, field }]),
);
const pollField = named(POLL);

/** Polls of the caller, and those in messages it may read. */
function visible(call: RouteCall, userId: string | undefined): Sql {
  if (call.caller.kind === "server") return { text: "1", values: [] };
  if (userId === undefined) return { text: "0", values: [] };
  const channel = readableChannel(call, userId);
  return {
    text: `p.created_by = ? OR EXISTS (SELECT 1 FROM messages m JOIN channels c ON c.cid = m.cid
      LEFT JOIN members me ON me.cid = m.cid AND me.user_id = ?
      WHERE m.poll_id = p.id AND m.type <> 'deleted' AND m.created_at > coalesce(me.hide_before, 0)
      AND (m.restricted IS NULL OR m.user_id = ? OR EXISTS (SELECT 1 FROM json_each(m.restricted) v WHERE v.value = ?))
      AND ${channel.text})`,
    values: [userId, userId, userId, userId, ...channel.values],
  };
}

export function queryPolls(call: RouteCall): Reply<"queryPolls"> {
  const { body, db } = call;
  const me = reader(call);
  if (!canInType(call, APP, "query-polls")) throw notAllowed("You are not allowed to list polls");
  const check = new BodyReader(body);
  const listing = readListing(check, body, {
    of: ["polls", me?.id],
    fields: (name) => pollField(name)?.field,
    orders: (name) => pollField(name)?.column,
    fallback: [{ expression: "p.created_at", direction: -1 }],
    tie: { expression: "p.id", direction: 1 },
    limit: pollBodies.queryPolls.limit,
  });
  check.done();
  const { rows, ...cursors } = listPage<PollRow>(db, {
    ...listing,
    columns: "p.*",
    from: "polls p",
    where: join([visible(call, me?.id), listing.where], " AND "),
  });
  const at = viewContext(db, call.emit, call.now(), me?.id);
  return { polls: rows.map((row) => pollView(at, row)), ...cursors };
}

/** The creator's, a server's, and of those who may list votes in a channel holding the poll. */
function requireListVotes(call: RouteCall, row: PollRow, userId: string | undefined): void {
  requireReadPoll(call, row, userId);
  if (call.caller.kind === "server" || row.created_by === userId) return;
  const seen = sightings(call, row.id);
  const able = seen.filter((s) => can(s, "query-votes"));
  if (able.length === 0) throw notAllowed("You are not allowed to list votes of this poll");
  if (!able.some((s) => s.config.polls)) requireFeature(able[0]!, "polls", "polls");
}

/** In an anonymous poll a filter or an order finds no voter but the caller. */
function voteFields(anonymous: boolean) {
  const voter = anonymous ? "CASE WHEN v.user_id = reader.id THEN v.user_id END" : "v.user_id";
  return named<{ column: string; field: Field }>({
    id: { column: "v.id", field: textField("v.id", SOME) },
    user_id: { column: voter, field: textField(voter, SOME) },
    is_answer: {
      column: "v.option_id IS NULL",
      field: flagField({ text: "v.option_id IS NULL", values: [] }),
    },
    option_id: { column: "v.option_id", field: textField("v.option_id", [...SOME, "$exists"]) },
    created_at: { column: "v.created_at", field: timeField("v.created_at", TIMES) },
  });
}

export function queryPollVotes(call: RouteCall): Reply<"queryPollVotes"> {
  const { body, db } = call;
  const poll = pollRow(db, call.path.poll_id ?? "");
  const me = reader(call);
  requireListVotes(call, poll, me?.id);
  const anonymous = isAnonymous(dataOf(poll));
  const voteField = voteFields(anonymous);
  const check = new BodyReader(body);
  const listing = readListing(check, body, {
    of: ["votes", poll.id, me?.id],
    fields: (name) => voteField(name)?.field,
    orders: (name) => voteField(name)?.column,
    fallback: [{ expression: "v.created_at", direction: -1 }],
    tie: { expression: "v.id", direction: 1 },
    limit: pollBodies.queryPolls.limit,
  });
  check.done();
  const { rows, ...cursors } = listPage<VoteRow>(db, {
    ...listing,
    columns: "v.*",
    from: "(SELECT ? AS id) reader, poll_votes v",
    fromValues: [me?.id ?? null],
    where: join([{ text: "v.poll_id = ?", values: [poll.id] }, listing.where], " AND "),
  });
  const at = viewContext(db, call.emit, call.now(), me?.id);
  if (!anonymous) at.people.load(rows.map((row) => row.user_id));
  return { votes: rows.map((row) => voteView(at, row, anonymous)), ...cursors };
}
