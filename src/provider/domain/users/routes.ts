/** Routes of users by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";
import { queryUsers } from "./query.ts";
import { updateUsersPartial, upsertUsers } from "./write.ts";

export const userRoutes: Handlers = { queryUsers, upsertUsers, updateUsersPartial };
