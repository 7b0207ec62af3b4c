/** Endpoints of campaigns and segments. */
import { CAMPAIGNS_ARE_SERVER_SIDE } from "../entities/campaign.ts";
import { entity, list, need, object, shape, whole, type Infer } from "../entities/fields.ts";
import { cursors, row, withOperations } from "./row.ts";

/** One campaign with a page of its users; `users` has the cursor of the next page. */
export const CampaignReply = shape(() => ({
  campaign: need(entity("Campaign")),
  users: need(object(cursors)),
}));
export interface CampaignReply extends Infer<typeof CampaignReply> {}

const server = { serverOnly: true, serverOnlyMessage: CAMPAIGNS_ARE_SERVER_SIDE } as const;

export const campaignsEndpoints = withOperations({
  createCampaign: row("POST /campaigns", { ...server, answer: CampaignReply }),
  queryCampaigns: row("POST /campaigns/query", {
    ...server,
    safe: true,
    answer: () => ({ campaigns: need(list(entity("Campaign"))), ...cursors }),
  }),
  getCampaign: row("GET /campaigns/{id}", {
    ...server,
    query: { limit: whole(), ...cursors },
    answer: CampaignReply,
  }),
  updateCampaign: row("PUT /campaigns/{id}", { ...server, answer: CampaignReply }),
  deleteCampaign: row("DELETE /campaigns/{id}", server),
  startCampaign: row("POST /campaigns/{id}/start", { ...server, answer: CampaignReply }),
  stopCampaign: row("POST /campaigns/{id}/stop", { ...server, answer: CampaignReply }),
  createSegment: row("POST /segments", { ...server, answer: () => ({ segment: need(entity("Segment")) }) }),
  querySegments: row("POST /segments/query", {
    ...server,
    safe: true,
    answer: () => ({ segments: need(list(entity("Segment"))), ...cursors }),
  }),
  getSegment: row("GET /segments/{id}", { ...server, answer: () => ({ segment: need(entity("Segment")) }) }),
  updateSegment: row("PUT /segments/{id}", {
    ...server,
    answer: () => ({ segment: need(entity("Segment")) }),
  }),
  deleteSegment: row("DELETE /segments/{id}", server),
  addSegmentTargets: row("POST /segments/{id}/addtargets", { ...server, idempotent: true }),
  deleteSegmentTargets: row("POST /segments/{id}/deletetargets", { ...server, idempotent: true }),
  segmentTargetExists: row("GET /segments/{id}/target/{target_id}", server),
  querySegmentTargets: row("POST /segments/{id}/targets/query", {
    ...server,
    safe: true,
    answer: () => ({ targets: need(list(entity("SegmentTarget"))), ...cursors }),
  }),
});
