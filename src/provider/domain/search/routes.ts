/** Routes of message search by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";

export const searchRoutes: Handlers = {};
