/** Shared locations of messages and channel states (specification/locations.md). */
import { entity, need, number, shape, text, time, type Infer } from "./fields.ts";

export const SharedLocation = shape(() => ({
  message_id: text(),
  channel_cid: text(),
  user_id: text(),
  latitude: need(number()),
  longitude: need(number()),
  /** Present and in the future = live. */
  end_at: time(),
  created_by_device_id: text(),
  created_at: time(),
  updated_at: time(),
  /** In lists and answers of updates. */
  channel: entity("Channel"),
  message: entity("Message"),
}));
export interface SharedLocation extends Infer<typeof SharedLocation> {}

/** Whether the coordinates are valid, since wire data may be anything. */
export const hasPosition = ({ latitude, longitude }: SharedLocation): boolean =>
  Number.isFinite(latitude) && Number.isFinite(longitude);
