/** The tables of push devices and of push preferences for single channels. */
import type { PushPreferences } from "../../../../wire/entities/user.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";

export const devices = table(
  "devices",
  {
    id: TEXT.key,
    user_id: TEXT,
    push_provider: TEXT,
    push_provider_name: TEXT.null,
    hardware_id: TEXT.null,
    voip: INTEGER.default(0),
    /** Set while the device is switched off. */
    disabled_reason: TEXT.null,
    created_at: INTEGER,
  },
  { indexes: { devices_of_user: "(user_id, created_at)" } },
);
export type DeviceRow = RowOf<typeof devices>;

/** `data`: JSON of the preferences. */
export const channelPush = table(
  "channel_push",
  { user_id: TEXT.key, cid: TEXT.key, data: TEXT },
  { indexes: { channel_push_of_channel: "(cid)" } },
);

/** Removes all but the newest `keep` devices. */
export function removeOldDevices(db: Database, userId: string, keep: number): void {
  db.run(
    `DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE user_id = :userId ORDER BY created_at DESC, id DESC
     LIMIT -1 OFFSET :keep)`,
    { userId, keep },
  );
}

export function findChannelPush(db: Database, userId: string, cid: string): PushPreferences | undefined {
  const row = channelPush.find(db, { user_id: userId, cid });
  return row && (JSON.parse(row.data) as PushPreferences);
}
