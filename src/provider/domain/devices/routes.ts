/** Routes of devices and push preferences by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";

export const deviceRoutes: Handlers = {};
