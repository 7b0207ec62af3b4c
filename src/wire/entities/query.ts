/** The language of queries: filters, sorts and message pagination (specification/users.md §7, specification/channels.md §4.1). */

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

/** At most one id or time option in a call (PAGE-4); answers are always oldest → newest (PAGE-1). */
export interface MessagePagination {
  limit?: number;
  offset?: number;
  id_lt?: string;
  id_lte?: string;
  id_gt?: string;
  id_gte?: string;
  id_around?: string;
  created_at_before?: string;
  created_at_before_or_equal?: string;
  created_at_after?: string;
  created_at_after_or_equal?: string;
  created_at_around?: string;
}

export const MESSAGE_ANCHORS = [
  "id_lt",
  "id_lte",
  "id_gt",
  "id_gte",
  "id_around",
  "created_at_before",
  "created_at_before_or_equal",
  "created_at_after",
  "created_at_after_or_equal",
  "created_at_around",
] as const satisfies (keyof MessagePagination)[];
export type MessageAnchor = (typeof MESSAGE_ANCHORS)[number];
