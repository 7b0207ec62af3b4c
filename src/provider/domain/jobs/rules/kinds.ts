/** Which function runs the steps of which kind of task. */
import type { TaskError } from "../../../../wire/entities/task.ts";
import type { DueContext } from "../../../base/ports.ts";
import { deactivateStep, reactivateStep } from "../../accounts/rules/deactivation.ts";
import { deleteUsersStep } from "../../accounts/rules/delete.ts";
import { batchChannelsStep } from "./batch-channels.ts";
import { deleteChannelsStep } from "./delete-channels.ts";
import { exportChannelsStep } from "./export-channels.ts";
import { publishExport } from "./export-files.ts";
import { exportUsersStep } from "./export-users.ts";
import type { OpenTask, TaskStep } from "../storage/tasks.ts";

export const taskKinds: Readonly<Record<string, TaskStep>> = {
  "channels.delete": deleteChannelsStep,
  "users.delete": deleteUsersStep,
  "users.deactivate": deactivateStep,
  "users.reactivate": reactivateStep,
  "channels.batch": batchChannelsStep,
  "export.channels": exportChannelsStep,
  "export.users": exportUsersStep,
};

/** Called when a task of the kind fails. */
export const taskFailures: Readonly<
  Record<string, (due: DueContext, task: OpenTask, error: TaskError) => void>
> = {
  "export.channels": (due, task, { description: error }) =>
    publishExport(due, "export.channels.error", task, { error }),
  "export.users": (due, task, { description: error }) =>
    publishExport(due, "export.users.error", task, { error }),
};
