/** Routes of threads by the name of their endpoint row. */
import { getThread, queryThreads } from "./list.ts";
import { updateThreadPartial } from "./update.ts";

export const threadRoutes = { queryThreads, getThread, updateThreadPartial };
