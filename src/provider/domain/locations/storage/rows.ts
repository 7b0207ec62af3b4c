/** Shared locations as they are stored. */

export interface LocationRow {
  message_id: string;
  cid: string;
  user_id: string;
  latitude: number;
  longitude: number;
  device_id: string;
  end_at: number | null;
  created_at: number;
  updated_at: number;
}
