/** Routes of the targets of manual segments (SG-2, SG-6). */
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import { CID_FORM, isUserId, splitCid } from "../../../../wire/ids.ts";
import type { SegmentTarget } from "../../../../wire/entities/segment.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { listingPage, readListing } from "../../query/listing.ts";
import {
  isManual,
  type SegmentRow,
  addTargets,
  segmentTargets,
  storedSegments,
  TARGET_LIST,
} from "../storage/segments.ts";
import { segmentOf } from "./segments.ts";

function readTargets(call: RouteCall): { row: SegmentRow; ids: string[] } {
  const row = segmentOf(call);
  const check = new BodyReader(call.body);
  const { target_ids: ids } = check.read(campaignBodies.addSegmentTargets);
  const bad = ids.findIndex((id) => (row.type === "user" ? !isUserId(id) : !splitCid(id)));
  if (bad >= 0)
    check.fail(`target_ids.${bad}`, row.type === "user" ? "is not a user id" : `is no cid: ${CID_FORM}`);
  check.done();
  if (!isManual(row))
    throw invalidField(
      "id",
      "names a segment that picks its targets by itself",
      `Segment ${row.id} picks its targets by itself`,
    );
  return { row, ids };
}

/** Unknown ids are stored, and skipped when a campaign runs (SG-2). */
export function addSegmentTargets(call: RouteCall): Reply<"addSegmentTargets"> {
  const { row, ids } = readTargets(call);
  const now = call.now();
  addTargets(call.db, row.id, ids, now);
  storedSegments.update(call.db, row, { updated_at: now });
  return {};
}

export function deleteSegmentTargets(call: RouteCall): Reply<"deleteSegmentTargets"> {
  const { row, ids } = readTargets(call);
  segmentTargets.remove(call.db, { segment_id: row.id, target_id: ids });
  storedSegments.update(call.db, row, { updated_at: call.now() });
  return {};
}

export function segmentTargetExists(call: RouteCall): Reply<"segmentTargetExists"> {
  const row = segmentOf(call);
  const target = call.path.target_id ?? "";
  if (!segmentTargets.has(call.db, { segment_id: row.id, target_id: target }))
    throw ApiProblem.notFound(`Target ${target.slice(0, 255)} is not in segment ${row.id}`);
  return {};
}

/** Sorted by target id unless the body says otherwise; `Filter` and `Sort` are accepted spellings of `filter` and `sort`. */
export function querySegmentTargets(call: RouteCall): Reply<"querySegmentTargets"> {
  const { db, body } = call;
  const row = segmentOf(call);
  const [filter, sort] = [body.filter ?? body.Filter, body.sort ?? body.Sort];
  const check = new BodyReader(body);
  const listing = readListing(check, { filter, sort }, TARGET_LIST, row.id);
  check.done();
  const { rows, ...cursors } = listingPage(db, listing);
  return {
    targets: rows.map((target): SegmentTarget => ({
      app_pk: 1,
      segment_id: target.segment_id,
      target_id: target.target_id,
      created_at: timeFromMicros(target.created_at),
    })),
    ...cursors,
  };
}
