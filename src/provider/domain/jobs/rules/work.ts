/** Runs open tasks, one bounded step per turn of the event loop, the task that waited longest first (specification/admin.md §8). */
import type { TaskError } from "../../../../wire/entities/task.ts";
import { ApiProblem, type Reply, type RouteCall } from "../../../base/handler.ts";
import type { DueWork } from "../../../base/ports.ts";
import type { Fields } from "../../validation/check.ts";
import { attemptPart } from "../../query/attempt.ts";
import { taskFailures, taskKinds } from "./kinds.ts";
import { tasks, storeStepResult, nextTask, taskView, type OpenTask } from "../storage/tasks.ts";

/** The error of a failed task: the message of an API error; internal errors stay hidden. */
function taskError(thrown: unknown): TaskError {
  return thrown instanceof ApiProblem
    ? { type: `code ${thrown.code}`, description: thrown.message }
    : { type: "internal", description: "internal system error" };
}

export function getTask(call: RouteCall): Reply<"getTask"> {
  return { ...taskView(tasks.need(call.db, { id: call.path.id ?? "" }), call.jobFiles) };
}

export const taskWork: DueWork = {
  name: "tasks",
  next: (db) => nextTask(db)?.updated_at,
  run(due) {
    const row = nextTask(due.db);
    if (!row) return;
    const task: OpenTask = {
      id: row.id,
      createdAt: row.created_at,
      payload: JSON.parse(row.payload) as Fields,
      state: row.state === null ? undefined : (JSON.parse(row.state) as unknown),
    };
    const step = Object.hasOwn(taskKinds, row.kind) ? taskKinds[row.kind] : undefined;
    const outcome = attemptPart(due, (emit) => {
      if (!step) throw new Error(`no steps for tasks of kind ${row.kind}`);
      return step({ ...due, emit }, task);
    });
    if ("thrown" in outcome && !(outcome.thrown instanceof ApiProblem)) due.reportError?.(outcome.thrown);
    const result = "value" in outcome ? outcome.value : { error: taskError(outcome.thrown) };
    if ("error" in result) taskFailures[row.kind]?.(due, task, result.error);
    storeStepResult(due.db, row, due.now(), result);
  },
};
