/** Tasks: long jobs, polled through GET /tasks/{id} (specification/admin.md §8). */

const TASK_STATUSES = ["waiting", "pending", "running", "completed", "failed"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface TaskError {
  type: string;
  description: string;
  stacktrace?: string;
  version?: string;
}

export interface Task {
  task_id: string;
  status: TaskStatus;
  created_at: string;
  updated_at: string;
  result?: Record<string, unknown>;
  error?: TaskError;
}

/** One entry of `result` of a deletion of many channels (specification/channels.md §7). */
export interface ChannelResult {
  status: "ok" | "error";
  error?: string;
}
