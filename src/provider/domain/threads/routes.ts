/** Routes of threads by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";

export const threadRoutes: Handlers = {};
