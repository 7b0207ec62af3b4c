/** Lists of polls and of the votes of one poll: filter and sort fields, and pages. */
import { pollBodies } from "../../../../wire/bodies/polls.ts";
import type { Database } from "../../../base/database.ts";
import { listPage, type ListPage } from "../../query/cursor.ts";
import {
  ONE_OF,
  DATE_RANGE,
  boolField,
  flagField,
  numberField,
  textField,
  timeField,
  type FilterField,
  type Sql,
} from "../../query/filter-fields.ts";
import { joinConditions } from "../../query/filter.ts";
import { ownEntry, type Listing, type ListDefinition } from "../../query/listing.ts";
import { HIDDEN_POLL, type PollRow, type VoteRow } from "./rows.ts";

const inData = (name: string): string => `json_extract(p.data, '$.${name}')`;
const flag = (column: string): FilterField => ({ ...boolField(column), ops: ["$eq"] });

/** Makes a list whose filter fields can also be sorted by. */
function sortableList(
  name: "polls" | "votes",
  fields: [name: string, column: string, field: FilterField][],
): ListDefinition {
  const table = name === "polls" ? "p" : "v";
  return {
    name,
    fields: ownEntry(Object.fromEntries(fields.map(([name, , field]) => [name, field]))),
    orders: ownEntry(Object.fromEntries(fields.map(([name, column]) => [name, column]))),
    fallback: [{ expression: `${table}.created_at`, direction: -1 }],
    tie: { expression: `${table}.id`, direction: 1 },
    limit: pollBodies.queryPolls.limit,
  };
}

export const POLL_LIST: ListDefinition = sortableList("polls", [
  ["id", "p.id", textField("p.id", ONE_OF)],
  ["poll_id", "p.id", textField("p.id", ONE_OF)],
  ["name", inData("name"), textField(inData("name"), ONE_OF)],
  ["created_by_id", "p.created_by", textField("p.created_by", ONE_OF)],
  ["voting_visibility", inData("voting_visibility"), textField(inData("voting_visibility"), ["$eq"])],
  ["is_closed", "p.closed", flag("p.closed")],
  ["allow_answers", inData("allow_answers"), flag(inData("allow_answers"))],
  [
    "allow_user_suggested_options",
    inData("allow_user_suggested_options"),
    flag(inData("allow_user_suggested_options")),
  ],
  ["max_votes_allowed", inData("max_votes_allowed"), numberField(inData("max_votes_allowed"))],
  ["created_at", "p.created_at", timeField("p.created_at", DATE_RANGE)],
  ["updated_at", "p.updated_at", timeField("p.updated_at", DATE_RANGE)],
]);

/** Polls created by a user, and those in messages that the user sees in readable channels `c`. */
export const visiblePolls = (userId: string, channel: Sql): Sql => ({
  text: `(p.created_by = ? AND NOT (${HIDDEN_POLL("p.id")})) OR EXISTS (SELECT 1 FROM messages m JOIN channels c ON c.cid = m.cid
      LEFT JOIN members me ON me.cid = m.cid AND me.user_id = ?
      WHERE m.poll_id = p.id AND m.type <> 'deleted' AND m.created_at > coalesce(me.hide_before, 0)
      AND (m.restricted IS NULL OR m.user_id = ? OR EXISTS (SELECT 1 FROM json_each(m.restricted) v WHERE v.value = ?))
      AND ${channel.text})`,
  values: [userId, userId, userId, userId, ...channel.values],
});

/** `visible`: a condition on poll `p`. */
export function pollsPage(db: Database, visible: Sql, listing: Listing): ListPage<PollRow> {
  return listPage<PollRow>(db, {
    ...listing,
    columns: "p.*",
    from: "polls p",
    where: joinConditions([visible, listing.where], " AND "),
  });
}

/** In an anonymous poll only the caller's own votes can be filtered or sorted by voter. */
export function voteList(anonymous: boolean): ListDefinition {
  const voter = anonymous ? "CASE WHEN v.user_id = reader.id THEN v.user_id END" : "v.user_id";
  return sortableList("votes", [
    ["id", "v.id", textField("v.id", ONE_OF)],
    ["user_id", voter, textField(voter, ONE_OF)],
    ["is_answer", "v.option_id IS NULL", flagField({ text: "v.option_id IS NULL", values: [] })],
    ["option_id", "v.option_id", textField("v.option_id", [...ONE_OF, "$exists"])],
    ["created_at", "v.created_at", timeField("v.created_at", DATE_RANGE)],
  ]);
}

export function votesPage(
  db: Database,
  pollId: string,
  readerId: string | undefined,
  listing: Listing,
): ListPage<VoteRow> {
  return listPage<VoteRow>(db, {
    ...listing,
    columns: "v.*",
    from: "(SELECT ? AS id) reader, poll_votes v",
    fromValues: [readerId ?? null],
    where: joinConditions([{ text: "v.poll_id = ?", values: [pollId] }, listing.where], " AND "),
  });
}
