/** The table of tasks, and that of their files: inserts, advances and shows tasks (specification/admin.md §8). */
import type { Task, TaskError, TaskStatus } from "../../../../wire/entities/task.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { JobFiles, SpoolKind } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import type { Fields } from "../../validation/check.ts";

export const tasks = table(
  "tasks",
  {
    id: TEXT.key,
    kind: TEXT,
    status: TEXT.as<TaskStatus>(),
    created_at: INTEGER,
    updated_at: INTEGER,
    /** 1: a step is still to be run. */
    open: INTEGER,
    /** JSON of what was asked for. */
    payload: TEXT,
    /** JSON of how far it came; null before the first step. */
    state: TEXT.null,
    result: TEXT.null,
    error: TEXT.null,
  },
  { noun: "Task", indexes: { tasks_open: "(updated_at, id) WHERE open = 1" } },
);
export type TaskRow = RowOf<typeof tasks>;

/** The files of exports and imports by their name, until they are removed. */
export const jobFileRows = table(
  "spooled",
  { kind: TEXT.as<SpoolKind>().key, name: TEXT.key, remove_at: INTEGER },
  { indexes: { spooled_by_age: "(remove_at)" } },
);

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
  tasks.insert(db, {
    id,
    kind,
    status: result ? "completed" : "waiting",
    created_at: now,
    updated_at: now,
    open: Number(result === undefined),
    payload: JSON.stringify(payload),
    result: result ? JSON.stringify(result) : null,
  });
  return id;
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
export const nextTask = (db: Database): TaskRow | undefined =>
  tasks.find(db, { open: 1 }, { by: ["updated_at", "id"], limit: 1 });

/** Stores the outcome of a step. `now` in whole microseconds. */
export function storeStepResult(db: Database, row: TaskRow, now: number, to: StepResult): void {
  const outcome =
    "state" in to
      ? { status: "running" as const, state: JSON.stringify(to.state) }
      : "result" in to
        ? { status: "completed" as const, open: 0, state: null, result: JSON.stringify(to.result) }
        : { status: "failed" as const, open: 0, state: null, error: JSON.stringify(to.error) };
  tasks.update(db, row, { ...outcome, updated_at: now });
}
