/** Routes of bans, mutes, flags and reports by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";

export const moderationRoutes: Handlers = {};
