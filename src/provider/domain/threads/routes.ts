/** Routes of threads by the name of their endpoint row. */
export { getThread, queryThreads } from "./rules/list.ts";
export { updateThreadPartial } from "./rules/update.ts";
