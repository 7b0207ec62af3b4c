/** The endpoint of message search. */
import type { SearchPayload, SearchReply } from "../search.ts";
import { row } from "./row.ts";

export const searchEndpoints = {
  search: row<object, SearchPayload, undefined, SearchReply>("Search", "GET", "/search", { payload: true }),
} as const;
