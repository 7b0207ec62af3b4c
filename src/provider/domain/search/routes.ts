/** Routes of message search by the name of their endpoint row. */
import { search } from "./rules/search.ts";

export const searchRoutes = { search };
