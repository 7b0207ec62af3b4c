/** Removes the files of exports and imports after some days, and publishes how an export ended (specification/admin.md §9). */
import { SPOOL_KEPT_DAYS } from "../../../../wire/constants.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, SpoolKind } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import { insertSpooled, firstSpooled, removeSpooled } from "../storage/spooled.ts";
import { removeTask, type OpenTask } from "../storage/tasks.ts";

const DAY = 86_400_000_000;

/** Registers a file for removal after `SPOOL_KEPT_DAYS`. */
export function registerJobFile(
  { db, now }: Pick<RouteCall, "db" | "now">,
  kind: SpoolKind,
  name: string,
): void {
  insertSpooled(db, kind, name, now() + SPOOL_KEPT_DAYS * DAY);
}

/** Sends the event that ends an export, to servers. */
export function publishExport(
  { emit, now }: DueContext,
  type: string,
  task: OpenTask,
  outcome: { url: string } | { error: string },
): void {
  emit.server({
    type,
    task_id: task.id,
    started_at: timeFromMicros(task.createdAt),
    finished_at: timeFromMicros(now()),
    ...outcome,
  });
}

/** Also removes the task of an export. */
export const spoolWork: DueWork = {
  name: "spooled files",
  next: (db) => firstSpooled(db)?.remove_at,
  run(due) {
    const found = firstSpooled(due.db);
    if (!found) return;
    removeSpooled(due.db, found);
    if (found.kind === "exports") removeTask(due.db, found.name.replace(/\.\w+$/, ""));
    due.jobFiles?.remove(found.kind, found.name);
  },
};
