/** Adds or removes targets of a segment, from the command line or a file, in several requests. */
import { SEGMENT } from "./segment-arg.ts";
import { userNotFound } from "../base/user-not-found.ts";
import { SEGMENT_TARGETS_PER_CALL } from "../../wire/constants.ts";
import { BULK_ARGS, runBulk, type BulkCall, type BulkItem, type SkippedItem } from "../base/bulk/bulk.ts";
import type { Args } from "../base/define-command.ts";
import { readBulkNames, type NameReader } from "../base/bulk/names.ts";
import { PERSON_FIELDS } from "../base/bulk/records.ts";
import { exists } from "../base/bulk/report-run.ts";
import type { AudienceCall } from "../campaign/audience/people.ts";

export const TARGETS = {
  segment: SEGMENT,
  targets: {
    kind: "list",
    positional: true,
    optional: true,
    help: "User ids, or type:id of channels",
  },
  ...BULK_ARGS,
} as const satisfies Args;

/** User ids or cids, depending on the type of the segment. */
const TARGET: NameReader = {
  unit: "targets",
  fields: [...new Set(["target_id", "cid", ...PERSON_FIELDS])],
  read: (text) => text.replace(/^@/, ""),
};

/** Finds unknown users among the targets: the provider would accept them and skip them in campaigns. Requests the segment once. */
function unknownTargets(
  call: AudienceCall,
  segment: string,
): (items: readonly BulkItem[]) => Promise<SkippedItem[]> {
  let isUserSegment: Promise<boolean> | undefined;
  const hasUsers = async (): Promise<boolean> =>
    (await call.core.call("getSegment", { path: { id: segment } })).segment.type === "user";
  return async (items) => {
    if (!(await (isUserSegment ??= hasUsers()))) return [];
    const { unknownOf } = await import("../campaign/audience/people.ts");
    const ids = items.map(({ id }) => id);
    const unknown = await unknownOf({ ...call, progress: () => {} }, ids);
    return unknown.map((id) => ({ id, error: userNotFound(id) }));
  };
}

/** Returns the number of targets sent. */
export async function changeTargets(
  call: BulkCall<typeof TARGETS>,
  route: "addSegmentTargets" | "deleteSegmentTargets",
): Promise<{ segment: string; targets: number }> {
  const { segment, targets } = call.args;
  const isAdding = route === "addSegmentTargets";
  const parts = runBulk(call, {
    read: () => readBulkNames(call, targets, TARGET),
    unit: TARGET.unit,
    batchSize: SEGMENT_TARGETS_PER_CALL,
    send: (items) =>
      call.core.call(route, { path: { id: segment }, body: { target_ids: items.map(({ id }) => id) } }),
    result: isAdding ? "added" : "removed",
    isDone: async (id) =>
      (await exists(call.core.call("segmentTargetExists", { path: { id: segment, target_id: id } }))) ===
      isAdding,
    ...(isAdding && { exclude: unknownTargets(call, segment) }),
  });
  let sent = 0;
  for await (const { items } of parts) sent += items.length;
  return { segment, targets: sent };
}
