/** Targets of manual segments: added, removed, looked for and listed (SG-2, SG-6). */
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import { CID_FORM, isUserId, splitCid } from "../../../../wire/ids.ts";
import type { SegmentTarget } from "../../../../wire/segment.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { listPage } from "../../query/cursor.ts";
import { join } from "../../query/filter.ts";
import { EQUAL, RANGE, textField, timeField } from "../../query/filter-fields.ts";
import { named, readListing } from "../../query/listing.ts";
import { isManual, segmentRow, type SegmentRow } from "../storage/segments.ts";

function readTargets(call: RouteCall): { row: SegmentRow; ids: string[] } {
  const row = segmentRow(call.db, call.path.id ?? "");
  const check = new BodyReader(call.body);
  const { target_ids: ids } = check.read(campaignBodies.addSegmentTargets);
  const bad = ids.findIndex((id) => (row.type === "user" ? !isUserId(id) : !splitCid(id)));
  if (bad >= 0)
    check.fail(`target_ids.${bad}`, row.type === "user" ? "is not a user id" : `is no cid: ${CID_FORM}`);
  check.done();
  if (!isManual(row)) throw invalidField("id", "names a segment that picks its targets by itself");
  return { row, ids };
}

/** Unknown ids are kept: they are skipped when a campaign runs (SG-2). */
export function addSegmentTargets(call: RouteCall): Reply<"addSegmentTargets"> {
  const { row, ids } = readTargets(call);
  const now = call.now();
  call.db.run(
    `INSERT OR IGNORE INTO segment_targets (segment_id, target_id, created_at)
     SELECT ?, value, ? FROM json_each(?)`,
    row.id,
    now,
    JSON.stringify(ids),
  );
  call.db.run("UPDATE segments SET updated_at = ? WHERE id = ?", now, row.id);
  return {};
}

export function deleteSegmentTargets(call: RouteCall): Reply<"deleteSegmentTargets"> {
  const { row, ids } = readTargets(call);
  call.db.run(
    "DELETE FROM segment_targets WHERE segment_id = ? AND target_id IN (SELECT value FROM json_each(?))",
    row.id,
    JSON.stringify(ids),
  );
  call.db.run("UPDATE segments SET updated_at = ? WHERE id = ?", call.now(), row.id);
  return {};
}

export function segmentTargetExists(call: RouteCall): Reply<"segmentTargetExists"> {
  const row = segmentRow(call.db, call.path.id ?? "");
  const target = call.path.target_id ?? "";
  if (!call.db.get("SELECT 1 FROM segment_targets WHERE segment_id = ? AND target_id = ?", row.id, target))
    throw new ApiProblem(16, `Target ${target.slice(0, 255)} is not in segment ${row.id}`);
  return {};
}

const FIELDS = {
  target_id: textField("t.target_id", [...EQUAL, ...RANGE.slice(2)]),
  created_at: timeField("t.created_at"),
};

interface TargetRow {
  segment_id: string;
  target_id: string;
  created_at: number;
}

/** In the order of their ids; `Filter` and `Sort` are other spellings of the same keys. */
export function querySegmentTargets(call: RouteCall): Reply<"querySegmentTargets"> {
  const { db, body } = call;
  const row = segmentRow(db, call.path.id ?? "");
  const [filter, sort] = [body.filter ?? body.Filter, body.sort ?? body.Sort];
  const check = new BodyReader(body);
  const listing = readListing(
    check,
    { filter, sort },
    {
      of: ["segment targets", row.id],
      fields: named(FIELDS),
      orders: named({ created_at: "t.created_at", target_id: "t.target_id" }),
      fallback: [],
      tie: { expression: "t.target_id", direction: 1 },
      limit: campaignBodies.querySegmentTargets.limit,
    },
  );
  check.done();
  const { rows, ...more } = listPage<TargetRow>(db, {
    ...listing,
    columns: "t.*",
    from: "segment_targets t",
    where: join([{ text: "t.segment_id = ?", values: [row.id] }, listing.where], " AND "),
  });
  return {
    targets: rows.map((one): SegmentTarget => ({
      app_pk: 1,
      segment_id: one.segment_id,
      target_id: one.target_id,
      created_at: timeFromMicros(one.created_at),
    })),
    ...more,
  };
}
