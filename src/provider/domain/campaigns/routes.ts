/** Routes of campaigns and segments by the name of their endpoint row. */
import {
  createCampaign,
  deleteCampaign,
  getCampaign,
  queryCampaigns,
  startCampaign,
  stopCampaign,
  updateCampaign,
} from "./rules/campaigns.ts";
import { createSegment, deleteSegment, getSegment, querySegments, updateSegment } from "./rules/segments.ts";
import {
  addSegmentTargets,
  deleteSegmentTargets,
  querySegmentTargets,
  segmentTargetExists,
} from "./rules/targets.ts";

export const campaignRoutes = {
  createCampaign,
  queryCampaigns,
  getCampaign,
  updateCampaign,
  deleteCampaign,
  startCampaign,
  stopCampaign,
  createSegment,
  querySegments,
  getSegment,
  updateSegment,
  deleteSegment,
  addSegmentTargets,
  deleteSegmentTargets,
  segmentTargetExists,
  querySegmentTargets,
};
