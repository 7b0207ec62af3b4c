/** Routes of users by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";
import { userHandlers } from "./users.ts";

export const userRoutes: Handlers = { ...userHandlers };
