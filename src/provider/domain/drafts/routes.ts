/** Routes of drafts by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";

export const draftRoutes: Handlers = {};
