/** The payload of a message search. */
import { SEARCH_LIMIT } from "../constants.ts";
import { filter, id, need, sort, text } from "../entities/fields.ts";
import { offsets } from "./frame.ts";

export const searchBodies = {
  search: {
    ...offsets(SEARCH_LIMIT),
    filter_conditions: need(filter()),
    query: text(),
    message_filter_conditions: filter(),
    next: id(Infinity),
    sort: sort(),
  },
};
