/** The endpoint of message search. */
import type { SearchReply } from "../search.ts";
import type { searchBodies } from "../bodies/search.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";

type Body<K extends keyof typeof searchBodies> = Infer<(typeof searchBodies)[K]>;

export const searchEndpoints = {
  search: row<object, Body<"search">, undefined, SearchReply>("Search", "GET", "/search", { payload: true }),
} as const;
