/** Routes of threads by the name of their endpoint row. */
import { getThread, queryThreads } from "./rules/list.ts";
import { updateThreadPartial } from "./rules/update.ts";

export const threadRoutes = { queryThreads, getThread, updateThreadPartial };
