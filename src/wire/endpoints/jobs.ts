/** Endpoints of tasks, exports, imports and batches. */
import type { Task } from "../task.ts";
import { row } from "./row.ts";

export const jobsEndpoints = {
  getTask: row<{ id: string }, object, undefined, Task>("GetTask", "GET", "/tasks/{id}", {
    serverOnly: true,
    perMinute: 1000,
  }),
} as const;
