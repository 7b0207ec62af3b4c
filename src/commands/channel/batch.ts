/** Runs an operation on many channels as a task of the provider (specification/channels.md §13). */
import { BATCH_OPERATIONS, type BatchOperation } from "../../wire/entities/batch.ts";
import type { TriedTask } from "../../wire/dry-run.ts";
import type { BodyOf } from "../../wire/endpoints/index.ts";
import { count } from "../../text/words.ts";
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { describeNames, namedChannels } from "../base/bulk/names.ts";
import { CommandError, command } from "../base/define-command.ts";
import { TEXTS_OF_CHANNELS } from "./settable-channels.ts";
import { readPairs } from "../base/custom-fields.ts";
import { PlannedSteps } from "../base/planned-steps.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { checkWaiting, NO_WAIT, waitForTask, WITHIN } from "../base/poll-task.ts";

interface BatchResult {
  task_id: string;
  operation: string;
  success_channels_count?: number;
  failed_channels?: { reason: string; cids: string[] }[];
}

interface Targets {
  channels: readonly string[];
  file?: string | undefined;
  type: readonly string[];
}

function requireTargets({ channels, file, type }: Targets): void {
  if (channels.length === 0 && file === undefined && type.length === 0)
    throw new CommandError("usage", "Name the channels, or give --file or a --type.");
}

export default command({
  summary: "Change many channels at once",
  changes: "provider",
  examples: [
    "channel batch addMembers messaging:a messaging:b --member bo --member cy",
    "channel batch updateData --type team --set frozen=true",
    "parley channel list --ndjson | parley channel batch updateData --file - --set floor=4 --yes",
  ],
  args: {
    operation: {
      kind: "choice",
      positional: true,
      choices: BATCH_OPERATIONS,
      help: "The operation",
    },
    channels: { kind: "list", positional: true, optional: true, help: "The channels" },
    file: BULK_ARGS.file,
    type: { kind: "list", value: "type", help: "All channels of this type (repeatable)" },
    member: { kind: "list", value: "user", help: "A member to add, remove or change (repeatable)" },
    role: { kind: "text", value: "role", help: "Their role in the channels" },
    set: {
      kind: "list",
      value: "name=value",
      help: "A field that updateData sets, as name=value (repeatable)",
    },
    noWait: NO_WAIT,
    within: WITHIN,
  },
  needs: "secret",
  confirm: (args) => {
    requireTargets(args);
    const { operation, channels, file, type } = args;
    const on =
      file !== undefined
        ? describeNames(channels, args, "channels")
        : channels.length
          ? count(channels.length, "channel")
          : `every channel of type ${type.join(", ")}`;
    return { level: "moderate", question: `Run ${operation} on ${on}?` };
  },
  async run(call): Promise<BatchResult> {
    const { operation, type, member, role, set, noWait, within } = call.args;
    requireTargets(call.args);
    checkWaiting(call.args);
    if (role !== undefined && member.length === 0)
      throw new CommandError("usage", "--role is the role of a --member.");
    const cids: string[] = [];
    // Not checked first: the result of the task lists missing channels.
    for (const one of await namedChannels(call)) cids.push(await cidOf({ ...call, dry: false }, one));
    const body: BodyOf<"batchChannels"> = {
      operation: operation as BatchOperation,
      filter: {
        ...(cids.length > 0 ? { cids: { $in: cids } } : {}),
        ...(type.length > 0 ? { types: { $in: type } } : {}),
      },
      ...(member.length > 0
        ? { members: member.map((id) => ({ user_id: id, ...(role ? { channel_role: role } : {}) })) }
        : {}),
      ...(set.length > 0 ? { data: readPairs(set, "--set", TEXTS_OF_CHANNELS) } : {}),
    };
    const steps = new PlannedSteps(call.dry);
    const started = await steps.take<TriedTask, TriedTask>(
      () => call.core.call("batchChannels", { body }),
      (tried) => tried,
    );
    if (!started || noWait) steps.end();
    const { task_id, task: tried } = started!;
    if (noWait) return { task_id, operation };
    const task = call.dry ? tried : await waitForTask(call, task_id, { within, label: operation });
    if (!task) steps.end();
    const done = { task_id, operation, ...task!.result } as unknown as BatchResult;
    const failed = done.failed_channels ?? [];
    if (failed.length > 0)
      throw new CommandError(
        "partial",
        `${count(done.success_channels_count ?? 0, "channel")} changed, ${count(
          failed.reduce((sum, { cids: failedCids }) => sum + failedCids.length, 0),
          "channel",
        )} not: ${failed.map(({ reason, cids: failedCids }) => `${failedCids.join(", ")}: ${reason}`).join("; ")}`,
        `parley task get ${task_id}`,
      );
    steps.end();
    return done;
  },
  show: (done) =>
    done.success_channels_count === undefined
      ? `task ${done.task_id}`
      : `${count(done.success_channels_count, "channel")} changed`,
});
