/** Routes of threads by the name of their endpoint row. */
import type { Handlers } from "../../base/handler.ts";
import { getThread, queryThreads } from "./list.ts";
import { updateThreadPartial } from "./update.ts";

export const threadRoutes: Handlers = { queryThreads, getThread, updateThreadPartial };
