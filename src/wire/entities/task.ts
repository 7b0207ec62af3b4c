/** Tasks: long jobs, polled through GET /tasks/{id} (specification/admin.md §8). */
import { any, choice, entity, map, need, shape, text, time, type Infer } from "./fields.ts";

const TASK_STATUSES = ["waiting", "pending", "running", "completed", "failed"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const TaskError = shape(() => ({
  type: need(text()),
  description: need(text()),
  stacktrace: text(),
  version: text(),
}));
export interface TaskError extends Infer<typeof TaskError> {}

export const Task = shape(() => ({
  task_id: need(text()),
  status: need(choice(...TASK_STATUSES)),
  created_at: need(time()),
  updated_at: need(time()),
  result: map(any()),
  error: entity("TaskError"),
}));
export interface Task extends Infer<typeof Task> {}

/** One entry of `result` of a deletion of many channels (specification/channels.md §7). */
export const ChannelResult = shape(() => ({
  status: need(choice("ok", "error")),
  error: text(),
}));
export interface ChannelResult extends Infer<typeof ChannelResult> {}
