/** Campaigns: making, changing, listing, deleting, starting and stopping them (specification/campaigns.md §2, §3, §6). */
import type { CampaignReply } from "../../../../wire/endpoints/campaigns.ts";
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import { CAMPAIGN_USERS_PAGE } from "../../../../wire/constants.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader, invalidField, type Fields } from "../../validation/check.ts";
import { listPage, readCursor } from "../../query/cursor.ts";
import { EQUAL, listField, textField, timeField, type Field } from "../../query/filter-fields.ts";
import { named, readListing } from "../../query/listing.ts";
import { findUser } from "../../users/storage/rows.ts";
import { readCampaign, type CampaignFields } from "./input.ts";
import { begin, halt } from "./run.ts";
import { readOwnId } from "./segments.ts";
import { campaignView, usersBinding, usersOrder } from "../view/campaigns.ts";
import { campaignRow, type CampaignRow } from "../storage/campaigns.ts";

const COLUMNS = [
  "name",
  "description",
  "sender_id",
  "sender_mode",
  "sender_visibility",
  "message_template",
  "channel_template",
  "create_channels",
  "show_channels",
  "skip_push",
  "skip_webhook",
  "segment_ids",
  "user_ids",
] as const satisfies (keyof CampaignFields)[];

const INSERT = `INSERT INTO campaigns (id, status, created_at, updated_at, ${COLUMNS.join(", ")})
  VALUES (?, 'draft', ?, ?, ${COLUMNS.map(() => "?").join(", ")})`;
const UPDATE = `UPDATE campaigns SET updated_at = ?, ${COLUMNS.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`;

const campaignOf = (call: RouteCall): CampaignRow => campaignRow(call.db, call.path.id ?? "");
const answer = (call: RouteCall, id: string): CampaignReply => ({
  ...campaignView(call, campaignRow(call.db, id), { limit: CAMPAIGN_USERS_PAGE[0] }),
});

export function createCampaign(call: RouteCall): Reply<"createCampaign"> {
  const { db } = call;
  const check = new BodyReader(call.body);
  const id = readOwnId(call, check);
  const fields = readCampaign(call, check);
  check.done();
  if (db.get("SELECT 1 FROM campaigns WHERE id = ?", id)) throw invalidField("id", `${id} already exists`);
  const now = call.now();
  db.run(INSERT, id, now, now, ...COLUMNS.map((name) => fields[name]));
  return answer(call, id);
}

export function getCampaign(call: RouteCall): Reply<"getCampaign"> {
  const row = campaignOf(call);
  const check = new BodyReader(call.query);
  const limit = check.limit(CAMPAIGN_USERS_PAGE);
  const cursor = readCursor(check, usersBinding(row.id), usersOrder);
  check.done();
  return { ...campaignView(call, row, { limit, cursor }) };
}

const WRITABLE = new Set(["draft", "scheduled", "stopped"]);

/** The full set of fields: what is left out returns to its default. */
export function updateCampaign(call: RouteCall): Reply<"updateCampaign"> {
  const row = campaignOf(call);
  const check = new BodyReader(call.body);
  const fields = readCampaign(call, check);
  check.done();
  if (!WRITABLE.has(row.status))
    throw invalidField(
      "status",
      `is ${row.status}: only a draft, scheduled or stopped campaign can be changed`,
    );
  if (row.status === "scheduled") needAudience(fields);
  call.db.run(UPDATE, call.now(), ...COLUMNS.map((name) => fields[name]), row.id);
  return answer(call, row.id);
}

/** A running one is stopped first. */
export function deleteCampaign(call: RouteCall): Reply<"deleteCampaign"> {
  const row = campaignOf(call);
  if (row.status === "in_progress") halt(call, row);
  for (const table of ["campaign_targets", "campaign_receivers"] as const)
    call.db.run(`DELETE FROM ${table} WHERE campaign_id = ?`, row.id);
  call.db.run("DELETE FROM campaigns WHERE id = ?", row.id);
  return {};
}

function needAudience(row: Pick<CampaignFields, "user_ids" | "segment_ids">): void {
  if (row.user_ids === "[]" && row.segment_ids === "[]")
    throw invalidField("user_ids", "or segment_ids must name somebody before the campaign can start");
}

const STARTABLE = new Set(["draft", "scheduled", "stopped"]);

export function startCampaign(call: RouteCall): Reply<"startCampaign"> {
  const { db } = call;
  const row = campaignOf(call);
  const check = new BodyReader(call.body);
  const { scheduled_for: asked, stop_at: stopAt = null } = check.read(campaignBodies.startCampaign);
  const now = call.now();
  // a moment that has passed means now
  const from = Math.max(asked ?? now, now);
  if (stopAt !== null && stopAt <= from) check.fail("stop_at", "must be later than the start");
  check.done();
  if (!STARTABLE.has(row.status)) throw invalidField("status", `is ${row.status}: it cannot be started`);
  needAudience(row);
  if (findUser(db, row.sender_id)?.deleted_at !== null)
    throw invalidField("sender_id", `names a user that does not exist: ${row.sender_id}`);
  if (from > now)
    db.run(
      `UPDATE campaigns SET status = 'scheduled', scheduled_for = ?1, stop_at = ?2, due_at = ?1, updated_at = ?3
       WHERE id = ?4`,
      from,
      stopAt,
      now,
      row.id,
    );
  else begin(call, { ...row, stop_at: stopAt, scheduled_for: null });
  return answer(call, row.id);
}

export function stopCampaign(call: RouteCall): Reply<"stopCampaign"> {
  const row = campaignOf(call);
  if (row.status !== "scheduled" && row.status !== "in_progress")
    throw invalidField("status", `is ${row.status}: only a scheduled or running campaign can be stopped`);
  halt(call, row);
  return answer(call, row.id);
}

const FIELDS: Record<string, Field> = {
  id: textField("c.id"),
  name: textField("c.name", [...EQUAL, "$autocomplete", "$q"]),
  status: textField("c.status"),
  sender_id: textField("c.sender_id"),
  segment_ids: listField("c.segment_ids", ["$eq", "$in", "$contains"]),
  user_ids: listField("c.user_ids", ["$eq", "$in", "$contains"]),
  scheduled_for: timeField("c.scheduled_for"),
  created_at: timeField("c.created_at"),
  updated_at: timeField("c.updated_at"),
};
const SORTS = new Set(["id", "name", "status", "sender_id", "scheduled_for", "created_at", "updated_at"]);

export function queryCampaigns(call: RouteCall): Reply<"queryCampaigns"> {
  const { db, body } = call;
  const check = new BodyReader(body as Fields);
  const listing = readListing(check, body, {
    of: ["campaigns"],
    fields: named(FIELDS),
    orders: (name) => (SORTS.has(name) ? `c.${name}` : undefined),
    fallback: [{ expression: "c.created_at", direction: -1 }],
    tie: { expression: "c.id", direction: -1 },
    limit: campaignBodies.queryCampaigns.limit,
  });
  const { user_limit: users } = check.read({ user_limit: campaignBodies.queryCampaigns.user_limit });
  check.done();
  const { rows, ...more } = listPage<CampaignRow>(db, { ...listing, columns: "c.*", from: "campaigns c" });
  return { campaigns: rows.map((row) => campaignView(call, row, { limit: users }).campaign), ...more };
}
