/** Endpoints of campaigns and segments. */
import { CAMPAIGNS_ARE_SERVER_SIDE, type Campaign, type CampaignInput } from "../campaign.ts";
import type { Filter, Sort } from "../query.ts";
import type { Segment, SegmentInput, SegmentTarget } from "../segment.ts";
import { row } from "./row.ts";

export interface CursorQuery {
  filter?: Filter;
  sort?: Sort;
  limit?: number;
  next?: string;
  prev?: string;
}

interface Cursors {
  next?: string;
  prev?: string;
}

/** One campaign with a page of its users; `users` tells how to go on in them. */
export interface CampaignReply {
  campaign: Campaign;
  users: Cursors;
}

type Id = { id: string };
const server = { serverOnly: true, serverWords: CAMPAIGNS_ARE_SERVER_SIDE } as const;

export const campaignsEndpoints = {
  createCampaign: row<object, object, CampaignInput, CampaignReply>(
    "CreateCampaign",
    "POST",
    "/campaigns",
    server,
  ),
  queryCampaigns: row<
    object,
    object,
    CursorQuery & { user_limit?: number },
    { campaigns: Campaign[] } & Cursors
  >("QueryCampaigns", "POST", "/campaigns/query", { ...server, safe: true }),
  getCampaign: row<Id, { limit?: number; next?: string; prev?: string }, undefined, CampaignReply>(
    "GetCampaign",
    "GET",
    "/campaigns/{id}",
    server,
  ),
  updateCampaign: row<Id, object, Omit<CampaignInput, "id">, CampaignReply>(
    "UpdateCampaign",
    "PUT",
    "/campaigns/{id}",
    server,
  ),
  deleteCampaign: row<Id, object>("DeleteCampaign", "DELETE", "/campaigns/{id}", server),
  startCampaign: row<Id, object, { scheduled_for?: string; stop_at?: string }, CampaignReply>(
    "StartCampaign",
    "POST",
    "/campaigns/{id}/start",
    server,
  ),
  stopCampaign: row<Id, object, object, CampaignReply>("StopCampaign", "POST", "/campaigns/{id}/stop", {
    ...server,
  }),
  createSegment: row<object, object, SegmentInput, { segment: Segment }>(
    "CreateSegment",
    "POST",
    "/segments",
    server,
  ),
  querySegments: row<object, object, CursorQuery, { segments: Segment[] } & Cursors>(
    "QuerySegments",
    "POST",
    "/segments/query",
    { ...server, safe: true },
  ),
  getSegment: row<Id, object, undefined, { segment: Segment }>("GetSegment", "GET", "/segments/{id}", server),
  updateSegment: row<
    Id,
    object,
    { name?: string; description?: string; filter?: Filter },
    { segment: Segment }
  >("UpdateSegment", "PUT", "/segments/{id}", server),
  deleteSegment: row<Id, object>("DeleteSegment", "DELETE", "/segments/{id}", server),
  addSegmentTargets: row<Id, object, { target_ids: string[] }>(
    "AddSegmentTargets",
    "POST",
    "/segments/{id}/addtargets",
    { ...server, idempotent: true },
  ),
  deleteSegmentTargets: row<Id, object, { target_ids: string[] }>(
    "DeleteSegmentTargets",
    "POST",
    "/segments/{id}/deletetargets",
    { ...server, idempotent: true },
  ),
  segmentTargetExists: row<Id & { target_id: string }, object>(
    "SegmentTargetExists",
    "GET",
    "/segments/{id}/target/{target_id}",
    server,
  ),
  querySegmentTargets: row<Id, object, CursorQuery, { targets: SegmentTarget[] } & Cursors>(
    "QuerySegmentTargets",
    "POST",
    "/segments/{id}/targets/query",
    { ...server, safe: true },
  ),
} as const;
