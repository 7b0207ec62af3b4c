/** Routes of message search by the name of their endpoint row. */
export { search } from "./rules/search.ts";
