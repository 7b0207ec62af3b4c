/** The endpoint of message search. */
import type { SearchReply } from "../search.ts";
import type { searchBodies } from "../bodies/search.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row } from "./row.ts";

type Body<K extends keyof typeof searchBodies> = Infer<(typeof searchBodies)[K]>;

export const searchEndpoints = withOperations({
  search: row<SearchReply, undefined, object, Body<"search">>("GET /search", { payload: true }),
});
