/** Shared locations of messages and channel states (specification/locations.md). */
import type { Channel } from "./channel.ts";
import type { Message } from "./message.ts";

export interface SharedLocation {
  message_id?: string;
  channel_cid?: string;
  user_id?: string;
  latitude: number;
  longitude: number;
  /** Present and in the future = live. */
  end_at?: string;
  created_by_device_id?: string;
  created_at?: string;
  updated_at?: string;
  /** In lists and answers of updates. */
  channel?: Channel;
  message?: Message;
}

/** Whether the coordinates are valid, since wire data may be anything. */
export const hasPosition = ({ latitude, longitude }: SharedLocation): boolean =>
  Number.isFinite(latitude) && Number.isFinite(longitude);
