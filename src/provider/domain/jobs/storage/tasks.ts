/** Inserts, advances and shows tasks (specification/admin.md §8). */
import type { Task, TaskError, TaskStatus } from "../../../../wire/entities/task.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type JobFiles } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import type { Fields } from "../../validation/check.ts";

interface TaskRow {
  id: string;
  kind: string;
  status: TaskStatus;
  created_at: number;
  updated_at: number;
  open: number;
  payload: string;
  state: string | null;
  result: string | null;
  error: string | null;
}

/** A task as its steps get it. `state` comes from the step before; undefined at the first step. */
export interface OpenTask {
  readonly id: string;
  readonly createdAt: number;
  readonly payload: Fields;
  readonly state: unknown;
}

/** The outcome of a step: `state` continues the task, `result` and `error` end it. Values are stored as JSON. */
export type StepResult = { state: unknown } | { result: Fields } | { error: TaskError };

/** One bounded step in a transaction of its own; a throw undoes the step and fails the task. */
export type TaskStep = (due: DueContext, task: OpenTask) => StepResult;

/**
 * Inserts a task and returns its id. Its steps, found by `kind` in `kinds.ts`, start after this transaction. With a `result` the
 * task is already completed.
 */
export function insertTask(
  db: Database,
  id: string,
  now: number,
  kind: string,
  payload: Fields,
  result?: Fields,
): string {
  db.run(
    "INSERT INTO tasks (id, kind, status, created_at, updated_at, open, payload, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    id,
    kind,
    result ? "completed" : "waiting",
    now,
    now,
    Number(result === undefined),
    JSON.stringify(payload),
    result ? JSON.stringify(result) : null,
  );
  return id;
}

export function findTask(db: Database, id: string): TaskRow | undefined {
  return db.get<TaskRow>("SELECT * FROM tasks WHERE id = ?", id);
}

/** Throws code 16 for an unknown task. */
export function taskRow(db: Database, id: string): TaskRow {
  const row = findTask(db, id);
  if (!row) throw ApiProblem.notFound(`Task ${id.slice(0, 255)} does not exist`);
  return row;
}

/** `spool` makes a new address for the result's file (specification/admin.md §9: valid for 24 hours). */
export function taskView(row: TaskRow, spool?: JobFiles): Task {
  const result = row.result === null ? undefined : (JSON.parse(row.result) as Fields);
  return {
    task_id: row.id,
    status: row.status,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
    ...(result
      ? { result: typeof result.file === "string" ? fileAddress(row, result.file, spool) : result }
      : {}),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as TaskError }),
  };
}

const fileAddress = ({ kind }: TaskRow, file: string, spool: JobFiles | undefined): Fields =>
  spool ? { url: spool.address("exports", file, kind === "export.users" ? "users" : undefined) } : {};

/** The open task whose last step was the longest ago, so that tasks take turns. */
export function nextTask(db: Database): TaskRow | undefined {
  return db.get<TaskRow>("SELECT * FROM tasks WHERE open = 1 ORDER BY updated_at, id LIMIT 1");
}

/** Stores the outcome of a step. `now` in whole microseconds. */
export function storeStepResult(db: Database, id: string, now: number, to: StepResult): void {
  if ("state" in to)
    db.run(
      "UPDATE tasks SET status = 'running', updated_at = ?, state = ? WHERE id = ?",
      now,
      JSON.stringify(to.state),
      id,
    );
  else
    db.run(
      "UPDATE tasks SET status = ?, updated_at = ?, open = 0, state = NULL, result = ?, error = ? WHERE id = ?",
      "result" in to ? "completed" : "failed",
      now,
      "result" in to ? JSON.stringify(to.result) : null,
      "error" in to ? JSON.stringify(to.error) : null,
      id,
    );
}

export function removeTask(db: Database, id: string): void {
  db.run("DELETE FROM tasks WHERE id = ?", id);
}
