/** Shows a task. */
import type { Task } from "../../wire/entities/task.ts";
import { fieldsView, type View } from "../base/define-command.ts";

export const taskFields = (task: Task): View =>
  fieldsView({
    task: task.task_id,
    status: task.status,
    created: task.created_at,
    updated: task.updated_at,
    result: task.result && JSON.stringify(task.result),
    error: task.error?.description,
  });
