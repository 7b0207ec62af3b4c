/** Bodies of campaigns and segments. */
import type { Attachment } from "../entities/attachment.ts";
import { Campaign, SENDER_MODES, SENDER_VISIBILITIES } from "../entities/campaign.ts";
import {
  ATTACHMENTS_LIMIT,
  CAMPAIGN_SEGMENTS_LIMIT,
  CAMPAIGN_USERS_LIMIT,
  CAMPAIGN_USERS_PAGE,
  MEMBERS_PER_CALL,
  QUERY_CAMPAIGNS_LIMIT,
  SEGMENT_TARGETS_PAGE,
  SEGMENT_TARGETS_PER_CALL,
} from "../constants.ts";
import {
  any,
  choice,
  filter,
  flag,
  id,
  limit,
  list,
  map,
  need,
  object,
  orBlank,
  sentBack,
  sort,
  text,
  time,
  withProblem,
  type Field,
  type Infer,
} from "../entities/fields.ts";
import type { Filter, Sort } from "../entities/query.ts";
import { SEGMENT_TYPES, Segment } from "../entities/segment.ts";
import { members } from "./channels.ts";
import { acting, listing } from "./frame.ts";

const messageTemplate = {
  text: need(text(20_000)),
  attachments: list(any<Attachment>("Attachment"), ATTACHMENTS_LIMIT),
  poll_id: id(),
  searchable: flag(),
  custom: map(any()),
};

type FullMember = { user_id: string; channel_role?: string; [custom: string]: unknown };

const channelTemplate = {
  type: need(id(64)),
  id: id(1000),
  team: id(),
  members: list(text(), MEMBERS_PER_CALL),
  members_template: members as Field<FullMember[]>,
  custom: map(any()),
};

const campaign = {
  name: text(255),
  description: text(),
  sender_id: need(id()),
  sender_mode: orBlank(choice(...SENDER_MODES)),
  sender_visibility: orBlank(choice(...SENDER_VISIBILITIES)),
  message_template: need(object(messageTemplate)),
  channel_template: object(channelTemplate),
  create_channels: flag(),
  show_channels: flag(),
  skip_push: flag(),
  skip_webhook: flag(),
  segment_ids: list(text(), CAMPAIGN_SEGMENTS_LIMIT),
  user_ids: list(text(), CAMPAIGN_USERS_LIMIT),
};

const segment = { ...acting, name: text(128), description: text(256), filter: filter() };
const targets = {
  ...acting,
  target_ids: need(withProblem(list(text(), SEGMENT_TARGETS_PER_CALL), "must name at least one target")),
};

/** What a campaign is made from. */
export type CampaignInput = Infer<typeof campaign> & { id?: string };

export const campaignBodies = {
  createCampaign: sentBack({ ...acting, ...campaign, id: id() }, Campaign, "duration"),
  queryCampaigns: { ...listing(QUERY_CAMPAIGNS_LIMIT), user_limit: limit(CAMPAIGN_USERS_PAGE) },
  updateCampaign: sentBack({ ...acting, ...campaign }, Campaign, "duration"),
  startCampaign: { ...acting, scheduled_for: time(), stop_at: time() },
  stopCampaign: acting,
  createSegment: sentBack(
    {
      ...segment,
      id: id(),
      type: need(choice(...SEGMENT_TYPES)),
      all_users: flag(),
      all_sender_channels: flag(),
    },
    Segment,
    "duration",
  ),
  updateSegment: sentBack(segment, Segment, "duration"),
  querySegments: listing(QUERY_CAMPAIGNS_LIMIT),
  addSegmentTargets: targets,
  deleteSegmentTargets: targets,
  /** `Filter` and `Sort` are other spellings of the same keys. */
  querySegmentTargets: {
    ...listing(SEGMENT_TARGETS_PAGE),
    Filter: filter() as Field<Filter>,
    Sort: sort() as Field<Sort>,
  },
};
