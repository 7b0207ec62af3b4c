/** The handlers of campaigns and segments, each under the name of its endpoint. */
export {
  createCampaign,
  deleteCampaign,
  getCampaign,
  queryCampaigns,
  startCampaign,
  stopCampaign,
  updateCampaign,
} from "./rules/campaigns.ts";
export { createSegment, deleteSegment, getSegment, querySegments, updateSegment } from "./rules/segments.ts";
export {
  addSegmentTargets,
  deleteSegmentTargets,
  querySegmentTargets,
  segmentTargetExists,
} from "./rules/targets.ts";
