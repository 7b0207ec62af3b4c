/** Segments: named audiences of campaigns (specification/campaigns.md §8). */
import type { Filter } from "./query.ts";

export const SEGMENT_TYPES = ["user", "channel"] as const;
export type SegmentType = (typeof SEGMENT_TYPES)[number];

export interface Segment {
  id: string;
  type: SegmentType;
  name: string;
  description: string;
  /** At most one of the next three is set; without any it is a manual list of targets (SG-1). */
  filter?: Filter;
  all_users: boolean;
  all_sender_channels: boolean;
  size: number;
  created_at: string;
  updated_at: string;
  deleted_at?: string;
  task_id?: string;
}

/** SG-6. */
export interface SegmentTarget {
  app_pk: number;
  segment_id: string;
  /** A user id, or the cid of a channel. */
  target_id: string;
  created_at: string;
}
