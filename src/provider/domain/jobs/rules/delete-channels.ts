/** POST /channels/delete: many channels at once; what takes long follows in steps (specification/channels.md §7). */
import { jobBodies } from "../../../../wire/bodies/jobs.ts";
import { cidProblem, splitCid } from "../../../../wire/ids.ts";
import type { ChannelResult } from "../../../../wire/entities/task.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import { BodyReader } from "../../validation/check.ts";
import { eraseChannel, eraseMessages } from "../../channels/storage/erase.ts";
import { deleteChannel } from "../../channels/rules/lifecycle.ts";
import { beforeTruncating } from "../../messages/rules/erased.ts";
import { addTombstone } from "../../messages/storage/tombstones.ts";
import { attemptPart } from "../../query/attempt.ts";
import { insertTask, type OpenTask, type StepResult } from "../storage/tasks.ts";
import { isSoftlyDeleted } from "../../channels/storage/rows.ts";
import { timeOfNth } from "../../messages/storage/newest.ts";

/** Messages erased in one step. */
const STEP = 300;

type Results = Record<string, ChannelResult>;

/** Cids of a request, each of the right form, once each. */
function checkCids(check: BodyReader, field: string, cids: readonly string[]): string[] {
  for (const [i, cid] of cids.entries()) {
    const problem = cidProblem(cid);
    if (problem) check.fail(`${field}.${i}`, `is no cid: ${problem}`);
  }
  return [...new Set(cids)];
}

export function deleteChannels(call: RouteCall): Reply<"deleteChannels"> {
  const check = new BodyReader(call.body);
  const given = check.read(jobBodies.deleteChannels);
  const cids = checkCids(check, "cids", given.cids);
  const hard = given.hard_delete ?? false;
  check.done();
  const results: Results = {};
  for (const cid of cids) {
    const { type, id } = splitCid(cid)!;
    const outcome = attemptPart(call, (emit) =>
      deleteChannel({ ...call, emit, name: "deleteChannel", path: { type, id }, query: {}, body: {} }),
    );
    results[cid] = "value" in outcome ? { status: "ok" } : failure(outcome.thrown);
  }
  const left = hard ? cids.filter((cid) => results[cid]!.status === "ok") : [];
  if (left.length === 0)
    return {
      task_id: insertTask(call.db, call.uuid(), call.now(), "channels.delete", {}, results),
      result: results,
    };
  return {
    task_id: insertTask(call.db, call.uuid(), call.now(), "channels.delete", { results, left }),
    result: {},
  };
}

function failure(thrown: unknown): ChannelResult {
  if (thrown instanceof ApiProblem) return { status: "error", error: thrown.message };
  throw thrown;
}

/** Erases some messages of the first channel that is left, then the channel; one made again meanwhile is left alone. */
export function deleteChannelsStep(due: DueContext, { payload, state }: OpenTask): StepResult {
  const { db } = due;
  const results = payload.results as Results;
  const left = (state ?? payload.left) as string[];
  const [cid, ...others] = left;
  if (cid === undefined) return { result: results };
  if (isSoftlyDeleted(db, cid)) {
    const far = timeOfNth(db, cid, STEP);
    if (far !== undefined) {
      beforeTruncating(due, cid, far);
      addTombstone(db, cid, { upTo: far }, due.now());
      eraseMessages(db, cid, far);
      return { state: left };
    }
    beforeTruncating(due, cid, Number.MAX_SAFE_INTEGER);
    addTombstone(db, cid, { upTo: Number.MAX_SAFE_INTEGER }, due.now());
    eraseChannel(db, cid);
  }
  return others.length > 0 ? { state: others } : { result: results };
}
