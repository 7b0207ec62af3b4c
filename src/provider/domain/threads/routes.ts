/** The handlers of threads, each under the name of its endpoint. */
export { getThread, queryThreads } from "./rules/list.ts";
export { updateThreadPartial } from "./rules/update.ts";
