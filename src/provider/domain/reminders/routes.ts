/** Routes of message reminders by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";

export const reminderRoutes: Handlers = {};
