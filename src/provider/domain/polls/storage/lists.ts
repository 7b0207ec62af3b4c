/** Lists of polls and of the votes of one poll: filter and sort fields, and pages. */
import { pollBodies } from "../../../../wire/bodies/polls.ts";
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
import { ownEntry, type ListDefinition } from "../../query/listing.ts";
import { HIDDEN_POLL, type PollRow, type VoteRow } from "./rows.ts";

const inData = (name: string): string => `json_extract(p.data, '$.${name}')`;
const flag = (column: string): FilterField => ({ ...boolField(column), ops: ["$eq"] });

/** Makes a list whose filter fields can also be sorted by. */
function sortableList<Row>(
  table: "p" | "v",
  list: Pick<ListDefinition<Row>, "name" | "from" | "fromValues" | "of">,
  fields: [name: string, column: string, field: FilterField][],
): ListDefinition<Row> {
  return {
    ...list,
    columns: `${table}.*`,
    fields: ownEntry(Object.fromEntries(fields.map(([name, , field]) => [name, field]))),
    orders: ownEntry(Object.fromEntries(fields.map(([name, column]) => [name, column]))),
    fallback: [{ expression: `${table}.created_at`, direction: -1, notNull: true }],
    tie: { expression: `${table}.id`, direction: 1, notNull: true },
    limit: pollBodies.queryPolls.limit,
  };
}

export const POLL_LIST = sortableList<PollRow>("p", { name: "polls", from: "polls p" }, [
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

/** In an anonymous poll only the reader's own votes can be filtered or sorted by voter. */
export function voteList(anonymous: boolean, readerId: string | undefined): ListDefinition<VoteRow> {
  const voter = anonymous ? "CASE WHEN v.user_id = reader.id THEN v.user_id END" : "v.user_id";
  const from = "(SELECT ? AS id) reader, poll_votes v";
  return sortableList("v", { name: "votes", from, fromValues: [readerId ?? null], of: "v.poll_id = ?" }, [
    ["id", "v.id", textField("v.id", ONE_OF)],
    ["user_id", voter, textField(voter, ONE_OF)],
    ["is_answer", "v.option_id IS NULL", flagField({ text: "v.option_id IS NULL", values: [] })],
    ["option_id", "v.option_id", textField("v.option_id", [...ONE_OF, "$exists"])],
    ["created_at", "v.created_at", timeField("v.created_at", DATE_RANGE)],
  ]);
}
