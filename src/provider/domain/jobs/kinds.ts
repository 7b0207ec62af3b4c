/** Which function runs the steps of which kind of task: a subject with a long job adds its line here. */
import type { TaskStep } from "./tasks.ts";

export const taskKinds: Readonly<Record<string, TaskStep>> = {};
