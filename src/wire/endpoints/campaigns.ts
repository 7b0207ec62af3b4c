/** Endpoints of campaigns and segments. */
import { CAMPAIGNS_ARE_SERVER_SIDE, type Campaign } from "../entities/campaign.ts";
import type { Segment, SegmentTarget } from "../entities/segment.ts";
import type { campaignBodies } from "../bodies/campaigns.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row } from "./row.ts";

export interface Cursors {
  next?: string;
  prev?: string;
}

/** One campaign with a page of its users; `users` has the cursor of the next page. */
export interface CampaignReply {
  campaign: Campaign;
  users: Cursors;
}

type Id = { id: string };
const server = { serverOnly: true, serverOnlyMessage: CAMPAIGNS_ARE_SERVER_SIDE } as const;

type Body<K extends keyof typeof campaignBodies> = Infer<(typeof campaignBodies)[K]>;

export const campaignsEndpoints = withOperations({
  createCampaign: row<CampaignReply, Body<"createCampaign">>("POST /campaigns", server),
  queryCampaigns: row<{ campaigns: Campaign[] } & Cursors, Body<"queryCampaigns">>("POST /campaigns/query", {
    ...server,
    safe: true,
  }),
  getCampaign: row<CampaignReply, undefined, Id, { limit?: number; next?: string; prev?: string }>(
    "GET /campaigns/{id}",
    server,
  ),
  updateCampaign: row<CampaignReply, Body<"updateCampaign">, Id>("PUT /campaigns/{id}", server),
  deleteCampaign: row<object, undefined, Id>("DELETE /campaigns/{id}", server),
  startCampaign: row<CampaignReply, Body<"startCampaign">, Id>("POST /campaigns/{id}/start", server),
  stopCampaign: row<CampaignReply, Body<"stopCampaign">, Id>("POST /campaigns/{id}/stop", server),
  createSegment: row<{ segment: Segment }, Body<"createSegment">>("POST /segments", server),
  querySegments: row<{ segments: Segment[] } & Cursors, Body<"querySegments">>("POST /segments/query", {
    ...server,
    safe: true,
  }),
  getSegment: row<{ segment: Segment }, undefined, Id>("GET /segments/{id}", server),
  updateSegment: row<{ segment: Segment }, Body<"updateSegment">, Id>("PUT /segments/{id}", server),
  deleteSegment: row<object, undefined, Id>("DELETE /segments/{id}", server),
  addSegmentTargets: row<object, Body<"addSegmentTargets">, Id>("POST /segments/{id}/addtargets", {
    ...server,
    idempotent: true,
  }),
  deleteSegmentTargets: row<object, Body<"deleteSegmentTargets">, Id>("POST /segments/{id}/deletetargets", {
    ...server,
    idempotent: true,
  }),
  segmentTargetExists: row<object, undefined, Id & { target_id: string }>(
    "GET /segments/{id}/target/{target_id}",
    server,
  ),
  querySegmentTargets: row<{ targets: SegmentTarget[] } & Cursors, Body<"querySegmentTargets">, Id>(
    "POST /segments/{id}/targets/query",
    { ...server, safe: true },
  ),
});
