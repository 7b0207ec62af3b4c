/** The endpoint of message search. */
import { SearchReply } from "../search.ts";
import { row, withOperations } from "./row.ts";

export const searchEndpoints = withOperations({
  search: row("GET /search", { payload: true, answer: SearchReply }),
});
