/** The language of queries: filters, sorts and message pagination (specification/users.md §7, specification/channels.md §4.1). */
import { id, time, type Infer } from "./fields.ts";

export const FILTER_OPERATORS = [
  "$eq",
  "$ne",
  "$gt",
  "$gte",
  "$lt",
  "$lte",
  "$in",
  "$nin",
  "$exists",
  "$contains",
  "$autocomplete",
  "$q",
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A field name or logical operator each; several keys of one object mean AND, a bare value means `$eq`. */
export interface Filter {
  [field: string]: unknown;
}

interface SortField {
  field: string;
  direction: 1 | -1;
  type?: "number" | "boolean";
}
export type Sort = SortField[];

/** For the query of a channel whose messages are wanted: as few people as an answer may have. */
export const FEW_PEOPLE = { members: { limit: 1 }, watchers: { limit: 1 } };

/** The boundary of a page of messages; at most one may be given. */
export const anchors = {
  id_lt: id(),
  id_lte: id(),
  id_gt: id(),
  id_gte: id(),
  id_around: id(),
  created_at_before: time(),
  created_at_before_or_equal: time(),
  created_at_after: time(),
  created_at_after_or_equal: time(),
  created_at_around: time(),
};
export type MessageAnchor = keyof typeof anchors;
export const MESSAGE_ANCHORS = Object.keys(anchors) as MessageAnchor[];

/** At most one id or time option in a call (PAGE-4); answers are always oldest → newest (PAGE-1). */
export interface MessagePagination extends Infer<typeof anchors> {
  limit?: number;
  offset?: number;
}
