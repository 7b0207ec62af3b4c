/** Routes of app settings, channel types, commands, permissions, roles, blocklists and push providers by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";

export const adminRoutes: Handlers = {};
