/** Routes of campaigns and segments by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";

export const campaignRoutes: Handlers = {};
