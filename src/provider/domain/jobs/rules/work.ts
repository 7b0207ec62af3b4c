/** Runs open tasks, one bounded step per turn of the event loop, the task that waited longest first (specification/admin.md §8). */
import type { Task, TaskError } from "../../../../wire/entities/task.ts";
import { ApiProblem, type Reply, type RouteCall } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import type { Fields } from "../../validation/check.ts";
import { attemptPart } from "../../query/attempt.ts";
import { taskFailures, taskKinds } from "./kinds.ts";
import { tasks, storeStepResult, nextTask, taskView, type OpenTask, type TaskRow } from "../storage/tasks.ts";

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
    if (row) runStep(due, row);
  },
};

/** Runs one step of a task and stores its outcome. */
function runStep(due: DueContext, row: TaskRow): void {
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
}

/** Kinds whose steps write files, which no rollback takes away. */
const WRITES_FILES = /^export\./;
/** Most microseconds that a dry run spends on the steps of a task. */
const TRIED_WITHIN = 50_000;

/** A task of this call as it would end, run within the call's transaction; undefined when it would take longer. */
export function tryTask(call: RouteCall, id: string): Task | undefined {
  const { db, emit, now, uuid } = call;
  const until = now() + TRIED_WITHIN;
  for (;;) {
    const row = tasks.need(db, { id });
    if (!row.open) return taskView(row);
    if (WRITES_FILES.test(row.kind) || now() > until) return undefined;
    runStep({ db, emit, now, uuid }, row);
  }
}
