/** Removes the files of exports and imports after some days, and publishes how an export ended (specification/admin.md §9). */
import { SPOOL_KEPT_DAYS } from "../../../../wire/constants.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, SpoolKind } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import { type OpenTask, tasks, jobFileRows } from "../storage/tasks.ts";

const DAY = 86_400_000_000;

/** Registers a file for removal after `SPOOL_KEPT_DAYS`. */
export function registerJobFile(
  { db, now }: Pick<RouteCall, "db" | "now">,
  kind: SpoolKind,
  name: string,
): void {
  jobFileRows.add(db, { kind, name, remove_at: now() + SPOOL_KEPT_DAYS * DAY });
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
  next: (db) => jobFileRows.min(db, "remove_at"),
  run(due) {
    const found = jobFileRows.find(due.db, {}, { by: ["remove_at"], limit: 1 });
    if (!found) return;
    jobFileRows.remove(due.db, { kind: found.kind, name: found.name });
    if (found.kind === "exports") tasks.remove(due.db, { id: found.name.replace(/\.\w+$/, "") });
    due.jobFiles?.remove(found.kind, found.name);
  },
};
