/** POST /channels/delete: deletes many channels; hard deletion erases their messages in steps (specification/channels.md §7). */
import { jobBodies } from "../../../../wire/bodies/jobs.ts";
import { cidProblem, splitCid } from "../../../../wire/ids.ts";
import type { ChannelResult } from "../../../../wire/entities/task.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import { BodyReader } from "../../validation/check.ts";
import { eraseChannel, eraseMessages } from "../../channels/storage/erase.ts";
import { deleteChannel } from "../../channels/rules/lifecycle.ts";
import { removeDependentsUpTo } from "../../messages/rules/erase-dependents.ts";
import { attemptPart } from "../../query/attempt.ts";
import { insertTask, type OpenTask, type StepResult } from "../storage/tasks.ts";
import { isSoftlyDeleted } from "../../channels/storage/rows.ts";
import { timeOfNth } from "../../messages/storage/newest.ts";

const MESSAGES_PER_STEP = 100;

type Results = Record<string, ChannelResult>;

/** The valid cids of a request, without duplicates. */
function checkCids(check: BodyReader, field: string, cids: readonly string[]): string[] {
  for (const [i, cid] of cids.entries()) {
    const problem = cidProblem(cid);
    if (problem) check.fail(`${field}.${i}`, `is no cid: ${problem}`);
  }
  return [...new Set(cids)];
}

export function deleteChannels(call: RouteCall): Reply<"deleteChannels"> {
  const check = new BodyReader(call.body);
  const fields = check.read(jobBodies.deleteChannels);
  const cids = checkCids(check, "cids", fields.cids);
  const hard = fields.hard_delete ?? false;
  check.done();
  const results: Results = {};
  for (const cid of cids) {
    const { type, id } = splitCid(cid)!;
    const outcome = attemptPart(call, (emit) =>
      deleteChannel({ ...call, emit, name: "deleteChannel", path: { type, id }, query: {}, body: {} }),
    );
    results[cid] = "value" in outcome ? { status: "ok" } : failure(outcome.thrown);
  }
  const remaining = hard ? cids.filter((cid) => results[cid]!.status === "ok") : [];
  if (remaining.length === 0)
    return {
      task_id: insertTask(call.db, call.uuid(), call.now(), "channels.delete", {}, results),
      result: results,
    };
  return {
    task_id: insertTask(call.db, call.uuid(), call.now(), "channels.delete", { results, left: remaining }),
    result: {},
  };
}

function failure(thrown: unknown): ChannelResult {
  if (thrown instanceof ApiProblem) return { status: "error", error: thrown.message };
  throw thrown;
}

/** Erases some messages of the next channel, or the channel itself; skips a channel that was created again meanwhile. */
export function deleteChannelsStep(due: DueContext, { payload, state }: OpenTask): StepResult {
  const { db } = due;
  const results = payload.results as Results;
  const remaining = (state ?? payload.left) as string[];
  const [cid, ...others] = remaining;
  if (cid === undefined) return { result: results };
  if (isSoftlyDeleted(db, cid)) {
    const upTo = timeOfNth(db, cid, MESSAGES_PER_STEP);
    if (upTo !== undefined) {
      removeDependentsUpTo(due, cid, upTo);
      eraseMessages(db, cid, upTo, due.now());
      return { state: remaining };
    }
    removeDependentsUpTo(due, cid, Number.MAX_SAFE_INTEGER);
    eraseChannel(db, cid, due.now());
  }
  return others.length > 0 ? { state: others } : { result: results };
}
