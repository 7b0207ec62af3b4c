/** PUT /channels/batch: one operation on all channels of a filter, a few channels per step (specification/channels.md §13). */
import { MEMBERS_PER_CALL } from "../../../../wire/constants.ts";
import { builtInFields } from "../../../../wire/custom.ts";
import { BATCH_OPERATIONS, type BatchOperation } from "../../../../wire/entities/batch.ts";
import { splitCid } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import { BodyReader, isObject, type Fields } from "../../validation/check.ts";
import { readChannelData } from "../../channels/rules/input.ts";
import { hideChannel, showChannel } from "../../channels/rules/lifecycle.ts";
import { updateMemberPartial } from "../../channels/rules/member-routes.ts";
import { requireUndeletedUsers, requireUsers, readMembers } from "../../channels/rules/members.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { updateChannel } from "../../channels/rules/update.ts";
import { SETTABLE_KEYS, updateChannelPartial } from "../../channels/rules/update-partial.ts";
import { People } from "../../users/view/users.ts";
import { attemptPart } from "../../query/attempt.ts";
import { serverCall } from "../../query/server-call.ts";
import { insertTask, type OpenTask, type StepResult } from "../storage/tasks.ts";
import { cidsOfTypes } from "../storage/exported.ts";

const CHANNELS_PER_STEP = 10;
/** The most values of `$in`, as in all filters. */
const IN_LIMIT = 100;

interface BatchRequest extends Fields {
  operation: BatchOperation;
  cids?: string[];
  types?: string[];
  members: { user_id: string; channel_role?: string }[];
  set: Fields;
}

interface State {
  after: string;
  done: number;
  failed: { reason: string; cids: string[] }[];
}

function readEqualOrIn(check: BodyReader, field: string): string[] | undefined {
  const source = check.raw(field);
  if (source === undefined) return undefined;
  const value: unknown = isObject(source) ? (source.$in ?? source.$eq) : undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (!isObject(source) || Object.keys(source).some((key) => key !== "$eq" && key !== "$in"))
    check.fail(field, "takes $eq and $in");
  else if (list.length === 0 || list.length > IN_LIMIT || !list.every((item) => typeof item === "string"))
    check.fail(field, `takes one text, or $in with at most ${IN_LIMIT} texts`);
  else return [...new Set(list as string[])];
  return undefined;
}

function readSet(check: BodyReader): Fields {
  const data = check.object("data") ?? {};
  const { custom, ...otherFields } = data;
  if (custom != null && !isObject(custom)) check.fail("data.custom", "must be an object");
  const set: Fields = { ...otherFields, ...(isObject(custom) ? custom : {}) };
  if (Object.keys(set).length === 0) check.fail("data", "is required for updateData");
  const inner = check.inside("data");
  for (const key of Object.keys(set)) {
    if (builtInFields("channel").has(key) && !SETTABLE_KEYS.has(key)) inner.fail(key, "cannot be changed");
    if (/[.\s]/.test(key)) inner.fail(key, "must hold neither spaces nor dots");
  }
  readChannelData(inner, set);
  return set;
}

/** Operations that add users to a channel. */
const JOIN_OPERATIONS = new Set<BatchOperation>(["addMembers", "inviteMembers"]);

export function batchChannels(call: RouteCall): Reply<"batchChannels"> {
  const check = new BodyReader(call.body);
  const operation = check.need("operation", 64) as BatchOperation;
  if (operation && !BATCH_OPERATIONS.includes(operation))
    check.fail("operation", `must be one of ${BATCH_OPERATIONS.join(", ")}`);
  const filter = check.object("filter") ?? {};
  const inner = check.inside("filter");
  for (const key of Object.keys(filter))
    if (key !== "cids" && key !== "types") inner.fail(key, "is not a field that can be filtered");
  const cids = readEqualOrIn(inner, "cids");
  const types = readEqualOrIn(inner, "types");
  for (const [i, cid] of (cids ?? []).entries())
    if (!splitCid(cid)) inner.fail("cids", `names no cid at ${i}: it must look like type:id`);
  if (!cids && !types) check.fail("filter", "must name cids or types");
  const members = readMembers(call.db, check, "members");
  if (operation !== "updateData" && members.length === 0)
    check.fail("members", `must name between 1 and ${MEMBERS_PER_CALL} users for ${operation}`);
  if (operation === "assignRoles" && members.some(({ role }) => role === undefined))
    check.fail("members", "must each have a channel_role for assignRoles");
  check.object("data");
  const set = operation === "updateData" ? readSet(check) : {};
  check.done();
  (JOIN_OPERATIONS.has(operation) ? requireUndeletedUsers : requireUsers)(
    new People(call.db, call.emit),
    "members",
    members.map(({ id }) => id),
  );
  const request: BatchRequest = {
    operation,
    ...(cids ? { cids: cids.toSorted() } : {}),
    ...(types ? { types } : {}),
    members: members.map(({ id, role }) => ({
      user_id: id,
      ...(role === undefined ? {} : { channel_role: role }),
    })),
    set,
  };
  return { task_id: insertTask(call.db, call.uuid(), call.now(), "channels.batch", request) };
}

/** The next cids after `after`, sorted: of the request's cids, or of its channel types. */
function nextCids(due: DueContext, { cids, types }: BatchRequest, after: string): string[] {
  if (cids)
    return cids
      .filter((cid) => cid > after && (!types || types.includes(splitCid(cid)!.type)))
      .slice(0, CHANNELS_PER_STEP);
  return cidsOfTypes(due.db, types, after, CHANNELS_PER_STEP);
}

/** The field of a channel update that does the operation. */
const UPDATE_FIELDS: Partial<Record<BatchOperation, string>> = {
  addMembers: "add_members",
  inviteMembers: "invites",
  assignRoles: "assign_roles",
  removeMembers: "remove_members",
  addModerators: "add_moderators",
  demoteModerators: "demote_moderators",
};
const IDS_ONLY = new Set<BatchOperation>(["removeMembers", "addModerators", "demoteModerators"]);

/** Makes the calls that a server would make for the channel, so checks and events are the same. */
function changeChannel(due: DueContext, cid: string, { operation, members, set }: BatchRequest): void {
  const path = splitCid(cid)!;
  const ids = members.map(({ user_id }) => user_id);
  const field = UPDATE_FIELDS[operation];
  if (field) {
    const list = IDS_ONLY.has(operation) ? ids : members;
    updateChannel(serverCall(due, "updateChannel", { path, body: { [field]: list } }));
    return;
  }
  if (operation === "updateData") {
    const before = findChannel(due.db, cid)?.frozen;
    updateChannelPartial(serverCall(due, "updateChannelPartial", { path, body: { set } }));
    const after = findChannel(due.db, cid)?.frozen;
    if (before !== after)
      due.emit.watchers(cid, { type: after === 1 ? "channel.frozen" : "channel.unfrozen" });
    return;
  }
  for (const id of ids)
    if (operation === "hide") hideChannel(serverCall(due, "hideChannel", { path }, id));
    else if (operation === "show") showChannel(serverCall(due, "showChannel", { path }, id));
    else
      updateMemberPartial(
        serverCall(due, "updateMemberPartial", {
          path: { ...path, user_id: id },
          body: { set: { archived: operation === "archive" } },
        }),
      );
}

function publishProgress(
  due: DueContext,
  task: OpenTask,
  { done, failed }: State,
  status: "started" | "completed",
): void {
  due.emit.server({
    type: `channel_batch_update.${status}`,
    task_id: task.id,
    operation: task.payload.operation,
    status,
    success_channels_count: done,
    failed_channels: failed,
  });
}

export function batchChannelsStep(due: DueContext, task: OpenTask): StepResult {
  const request = task.payload as BatchRequest;
  const state = (task.state as State | undefined) ?? { after: "", done: 0, failed: [] };
  if (task.state === undefined) publishProgress(due, task, state, "started");
  const cids = nextCids(due, request, state.after);
  for (const cid of cids) {
    const outcome = attemptPart(due, (emit) => changeChannel({ ...due, emit }, cid, request));
    if ("value" in outcome) state.done++;
    else {
      if (!(outcome.thrown instanceof ApiProblem)) throw outcome.thrown;
      const reason = outcome.thrown.message;
      const sameReason = state.failed.find((group) => group.reason === reason);
      if (sameReason) sameReason.cids.push(cid);
      else state.failed.push({ reason, cids: [cid] });
    }
    state.after = cid;
  }
  if (cids.length === CHANNELS_PER_STEP) return { state };
  publishProgress(due, task, state, "completed");
  return {
    result: {
      operation: request.operation,
      success_channels_count: state.done,
      failed_channels: state.failed,
    },
  };
}
