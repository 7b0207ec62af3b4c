/** The handlers of message search, each under the name of its endpoint. */
export { search } from "./rules/search.ts";
