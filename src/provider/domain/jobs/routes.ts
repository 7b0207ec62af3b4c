/** Routes of tasks, exports, imports and batches by the name of their endpoint row. */
import type { Handlers } from "../../handler.ts";
import { getTask } from "./tasks.ts";

export const jobRoutes: Handlers = { getTask };
