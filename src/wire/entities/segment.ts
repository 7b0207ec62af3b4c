/** Segments: named audiences of campaigns (specification/campaigns.md §8). */
import { choice, filter, flag, need, shape, text, time, whole, type Infer } from "./fields.ts";

export const SEGMENT_TYPES = ["user", "channel"] as const;
export type SegmentType = (typeof SEGMENT_TYPES)[number];

export const Segment = shape(() => ({
  id: need(text()),
  type: need(choice(...SEGMENT_TYPES)),
  name: need(text()),
  description: need(text()),
  /** At most one of the next three is set; without any it is a manual list of targets (SG-1). */
  filter: filter(),
  all_users: need(flag()),
  all_sender_channels: need(flag()),
  size: need(whole()),
  created_at: need(time()),
  updated_at: need(time()),
  deleted_at: time(),
  task_id: text(),
}));
export interface Segment extends Infer<typeof Segment> {}

/** SG-6. */
export const SegmentTarget = shape(() => ({
  app_pk: need(whole()),
  segment_id: need(text()),
  /** A user id, or the cid of a channel. */
  target_id: need(text()),
  created_at: need(time()),
}));
export interface SegmentTarget extends Infer<typeof SegmentTarget> {}
