/** The payload and answer of a search, and the error texts that both ends use (specification/search.md). */
import { entity, list, need, object, shape, text, whole, type Infer } from "./entities/fields.ts";
import type { Filter, Sort } from "./entities/query.ts";

export interface SearchPayload {
  filter_conditions: Filter;
  query?: string;
  message_filter_conditions?: Filter;
  limit?: number;
  offset?: number;
  next?: string;
  sort?: Sort;
  user_id?: string;
}

export const SearchReply = shape(() => ({
  results: need(list(object({ message: need(entity("Message", { channel: entity("Channel") })) }))),
  next: text(),
  /** Passed back as `next`. */
  previous: text(),
  results_warning: object({
    warning_code: need(whole()),
    warning_description: need(text()),
    channel_search_count: whole(),
    channel_search_cids: list(text()),
  }),
}));
export interface SearchReply extends Infer<typeof SearchReply> {}

/** Checked in this order; an `offset` of 0 is no conflict (C3). */
export const SEARCH_PROBLEMS = {
  "SE-1": "search cannot combine offset with next",
  "SE-2": "search cannot combine offset with sort",
  "SE-3": "search takes a query or message filters, not both",
  "SE-4": "search needs a query or message filters",
  "SE-5": "search needs a channel filter",
  "SE-6": "search limit or offset out of range",
} as const;
