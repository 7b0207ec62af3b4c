/** Routes of segments (specification/campaigns.md §8). */
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import { CHOSEN_ID, CHOSEN_ID_FORM } from "../../../../wire/ids.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader, jsonBytes, invalidField } from "../../validation/check.ts";
import { compileFilter } from "../../query/filter.ts";
import { listingPage, readOnlyListing } from "../../query/listing.ts";
import { segmentFields } from "../storage/selection.ts";
import { type SegmentRow, storedSegments, segmentTargets, SEGMENT_LIST } from "../storage/segments.ts";
import { segmentView } from "../view/segments.ts";
import { campaignUsingSegment } from "../storage/campaigns.ts";

const FILTER_LIMIT = 5 * 1024;

/** The id that the caller chose, or a generated one. */
export function readChosenId(call: RouteCall, check: BodyReader): string {
  const id = check.id("id");
  if (id === undefined) return call.uuid();
  if (!CHOSEN_ID.test(id)) check.fail("id", CHOSEN_ID_FORM);
  return id;
}

function readSegmentFilter(call: RouteCall, check: BodyReader, type: string): string | undefined {
  const filter = check.object("filter");
  if (filter === undefined) return undefined;
  if (jsonBytes(filter) > FILTER_LIMIT) check.fail("filter", `must be at most ${FILTER_LIMIT} bytes of JSON`);
  compileFilter(filter, segmentFields(type, call.now()), check, "filter");
  return JSON.stringify(filter);
}

export function createSegment(call: RouteCall): Reply<"createSegment"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const id = readChosenId(call, check);
  const fields = check.read(campaignBodies.createSegment);
  const { type, name = "", description = "" } = fields;
  const { all_users: allUsers = false, all_sender_channels: allChannels = false } = fields;
  const filter = readSegmentFilter(call, check, type);
  // SG-1
  const selectors = [
    ["filter", filter !== undefined],
    ["all_users", allUsers],
    ["all_sender_channels", allChannels],
  ] as const;
  const chosen = selectors.filter(([, used]) => used);
  if (chosen.length > 1) check.fail(chosen[1]![0], `cannot be given together with ${chosen[0]![0]}`);
  if (allUsers && type === "channel") check.fail("all_users", "is for segments of users");
  if (allChannels && type === "user") check.fail("all_sender_channels", "is for segments of channels");
  check.done();
  if (storedSegments.has(db, { id })) throw invalidField("id", `${id} already exists`);
  const now = call.now();
  const row: SegmentRow = {
    id,
    type,
    name,
    description,
    filter: filter ?? null,
    all_users: Number(allUsers),
    all_sender_channels: Number(allChannels),
    created_at: now,
    updated_at: now,
  };
  storedSegments.insert(db, row);
  return { segment: segmentView(db, row, now) };
}

export const segmentOf = (call: RouteCall): SegmentRow =>
  storedSegments.need(call.db, { id: call.path.id ?? "" });

export function getSegment(call: RouteCall): Reply<"getSegment"> {
  return { segment: segmentView(call.db, segmentOf(call), call.now()) };
}

/** A filter can be changed, but not added to a segment without one (SG-7). */
export function updateSegment(call: RouteCall): Reply<"updateSegment"> {
  const { db } = call;
  const row = segmentOf(call);
  const check = new BodyReader(call.body);
  const { name, description } = check.read(campaignBodies.updateSegment);
  const filter = readSegmentFilter(call, check, row.type);
  if (filter !== undefined && row.filter === null)
    check.fail("filter", "cannot be given to a segment that was made without one");
  check.done();
  const now = call.now();
  const after = storedSegments.update(db, row, {
    name: name ?? row.name,
    description: description ?? row.description,
    filter: filter ?? row.filter,
    updated_at: now,
  });
  return { segment: segmentView(db, after, now) };
}

/** SG-5: refused while a scheduled or running campaign uses it. */
export function deleteSegment(call: RouteCall): Reply<"deleteSegment"> {
  const { db } = call;
  const row = segmentOf(call);
  const campaignId = campaignUsingSegment(db, row.id);
  if (campaignId !== undefined)
    throw invalidField("id", `names a segment that campaign ${campaignId} is using`);
  segmentTargets.remove(db, { segment_id: row.id });
  storedSegments.remove(db, { id: row.id });
  return {};
}

export function querySegments(call: RouteCall): Reply<"querySegments"> {
  const { db } = call;
  const { rows, ...cursors } = listingPage(db, readOnlyListing(call.body, SEGMENT_LIST));
  const now = call.now();
  return { segments: rows.map((row) => segmentView(db, row, now)), ...cursors };
}
