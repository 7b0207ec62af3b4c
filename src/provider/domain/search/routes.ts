/** Routes of message search by the name of their endpoint row. */
import type { Handlers } from "../../base/handler.ts";
import { search } from "./search.ts";

export const searchRoutes: Handlers = { search };
