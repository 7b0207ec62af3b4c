/** Endpoints of campaigns and segments. */
import { CAMPAIGNS_ARE_SERVER_SIDE, type Campaign } from "../campaign.ts";
import type { Segment, SegmentTarget } from "../segment.ts";
import type { campaignBodies } from "../bodies/campaigns.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";

export interface Cursors {
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

type Body<K extends keyof typeof campaignBodies> = Infer<(typeof campaignBodies)[K]>;

export const campaignsEndpoints = {
  createCampaign: row<object, object, Body<"createCampaign">, CampaignReply>(
    "CreateCampaign",
    "POST",
    "/campaigns",
    server,
  ),
  queryCampaigns: row<object, object, Body<"queryCampaigns">, { campaigns: Campaign[] } & Cursors>(
    "QueryCampaigns",
    "POST",
    "/campaigns/query",
    { ...server, safe: true },
  ),
  getCampaign: row<Id, { limit?: number; next?: string; prev?: string }, undefined, CampaignReply>(
    "GetCampaign",
    "GET",
    "/campaigns/{id}",
    server,
  ),
  updateCampaign: row<Id, object, Body<"updateCampaign">, CampaignReply>(
    "UpdateCampaign",
    "PUT",
    "/campaigns/{id}",
    server,
  ),
  deleteCampaign: row<Id, object>("DeleteCampaign", "DELETE", "/campaigns/{id}", server),
  startCampaign: row<Id, object, Body<"startCampaign">, CampaignReply>(
    "StartCampaign",
    "POST",
    "/campaigns/{id}/start",
    server,
  ),
  stopCampaign: row<Id, object, Body<"stopCampaign">, CampaignReply>(
    "StopCampaign",
    "POST",
    "/campaigns/{id}/stop",
    {
      ...server,
    },
  ),
  createSegment: row<object, object, Body<"createSegment">, { segment: Segment }>(
    "CreateSegment",
    "POST",
    "/segments",
    server,
  ),
  querySegments: row<object, object, Body<"querySegments">, { segments: Segment[] } & Cursors>(
    "QuerySegments",
    "POST",
    "/segments/query",
    { ...server, safe: true },
  ),
  getSegment: row<Id, object, undefined, { segment: Segment }>("GetSegment", "GET", "/segments/{id}", server),
  updateSegment: row<Id, object, Body<"updateSegment">, { segment: Segment }>(
    "UpdateSegment",
    "PUT",
    "/segments/{id}",
    server,
  ),
  deleteSegment: row<Id, object>("DeleteSegment", "DELETE", "/segments/{id}", server),
  addSegmentTargets: row<Id, object, Body<"addSegmentTargets">>(
    "AddSegmentTargets",
    "POST",
    "/segments/{id}/addtargets",
    { ...server, idempotent: true },
  ),
  deleteSegmentTargets: row<Id, object, Body<"deleteSegmentTargets">>(
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
  querySegmentTargets: row<Id, object, Body<"querySegmentTargets">, { targets: SegmentTarget[] } & Cursors>(
    "QuerySegmentTargets",
    "POST",
    "/segments/{id}/targets/query",
    { ...server, safe: true },
  ),
} as const;
