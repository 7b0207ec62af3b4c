/** Routes of campaigns (specification/campaigns.md §2, §3, §6). */
import { CAMPAIGN_STATES } from "../../../../wire/entities/campaign.ts";
import type { CampaignReply } from "../../../../wire/endpoints/campaigns.ts";
import { campaignBodies } from "../../../../wire/bodies/campaigns.ts";
import { CAMPAIGN_USERS_PAGE } from "../../../../wire/constants.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader, invalidField, type Fields } from "../../validation/check.ts";
import { listingPage, readListing } from "../../query/listing.ts";
import { findUser } from "../../users/storage/rows.ts";
import { readCampaign } from "./input.ts";
import {
  type CampaignFields,
  type CampaignRow,
  campaigns,
  CAMPAIGN_LIST,
  readUsersCursor,
} from "../storage/campaigns.ts";
import { campaignReceivers, campaignTargets } from "../storage/targets.ts";
import { beginCampaign, haltCampaign } from "./run.ts";
import { readChosenId } from "./segments.ts";
import { campaignView } from "../view/campaigns.ts";

const campaignOf = (call: RouteCall): CampaignRow => campaigns.need(call.db, { id: call.path.id ?? "" });
const campaignReply = (call: RouteCall, id: string): CampaignReply => ({
  ...campaignView(call, campaigns.need(call.db, { id }), { limit: CAMPAIGN_USERS_PAGE[0] }),
});

export function createCampaign(call: RouteCall): Reply<"createCampaign"> {
  const { db } = call;
  const check = new BodyReader(call.body);
  const id = readChosenId(call, check);
  const fields = readCampaign(call, check);
  check.done();
  if (campaigns.has(db, { id })) throw invalidField("id", `${id} already exists`);
  const now = call.now();
  campaigns.insert(db, { id, ...fields, status: "draft", created_at: now, updated_at: now });
  return campaignReply(call, id);
}

export function getCampaign(call: RouteCall): Reply<"getCampaign"> {
  const row = campaignOf(call);
  const check = new BodyReader(call.query);
  const limit = check.limit(CAMPAIGN_USERS_PAGE);
  const cursor = readUsersCursor(check, row.id);
  check.done();
  return { ...campaignView(call, row, { limit, cursor }) };
}

/** Replaces all fields; missing ones get their default. */
export function updateCampaign(call: RouteCall): Reply<"updateCampaign"> {
  const row = campaignOf(call);
  const check = new BodyReader(call.body);
  const fields = readCampaign(call, check);
  check.done();
  if (!CAMPAIGN_STATES.change.includes(row.status))
    throw invalidField(
      "status",
      `is ${row.status}: only a draft, scheduled or stopped campaign can be changed`,
    );
  if (row.status === "scheduled") requireAudience(fields);
  campaigns.update(call.db, row, { ...fields, updated_at: call.now() });
  return campaignReply(call, row.id);
}

/** Stops a running campaign first. */
export function deleteCampaign(call: RouteCall): Reply<"deleteCampaign"> {
  const row = campaignOf(call);
  if (row.status === "in_progress") haltCampaign(call, row);
  campaignTargets.remove(call.db, { campaign_id: row.id });
  campaignReceivers.remove(call.db, { campaign_id: row.id });
  campaigns.remove(call.db, { id: row.id });
  return {};
}

function requireAudience(row: Pick<CampaignFields, "user_ids" | "segment_ids">): void {
  if (row.user_ids === "[]" && row.segment_ids === "[]")
    throw invalidField("user_ids", "or segment_ids must name somebody before the campaign can start");
}

export function startCampaign(call: RouteCall): Reply<"startCampaign"> {
  const { db } = call;
  const row = campaignOf(call);
  const check = new BodyReader(call.body);
  const { scheduled_for: scheduledFor, stop_at: stopAt = null } = check.read(campaignBodies.startCampaign);
  const now = call.now();
  // A time in the past means now.
  const from = Math.max(scheduledFor ?? now, now);
  if (stopAt !== null && stopAt <= from) check.fail("stop_at", "must be later than the start");
  check.done();
  if (!CAMPAIGN_STATES.start.includes(row.status))
    throw invalidField("status", `is ${row.status}: it cannot be started`);
  requireAudience(row);
  if (findUser(db, row.sender_id)?.deleted_at !== null)
    throw invalidField("sender_id", `names a user that does not exist: ${row.sender_id}`);
  const times = { scheduled_for: from, stop_at: stopAt, due_at: from, updated_at: now };
  if (from > now) campaigns.update(db, row, { status: "scheduled", ...times });
  else beginCampaign(call, { ...row, stop_at: stopAt, scheduled_for: null });
  return campaignReply(call, row.id);
}

export function stopCampaign(call: RouteCall): Reply<"stopCampaign"> {
  const row = campaignOf(call);
  if (!CAMPAIGN_STATES.stop.includes(row.status))
    throw invalidField("status", `is ${row.status}: only a scheduled or running campaign can be stopped`);
  haltCampaign(call, row);
  return campaignReply(call, row.id);
}

export function queryCampaigns(call: RouteCall): Reply<"queryCampaigns"> {
  const { db, body } = call;
  const check = new BodyReader(body as Fields);
  const listing = readListing(check, body, CAMPAIGN_LIST);
  const { user_limit: users } = check.read({ user_limit: campaignBodies.queryCampaigns.user_limit });
  check.done();
  const { rows, ...cursors } = listingPage(db, listing);
  return { campaigns: rows.map((row) => campaignView(call, row, { limit: users }).campaign), ...cursors };
}
