/** The table of muted channels. */
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";

export const channelMutes = table(
  "channel_mutes",
  {
    cid: TEXT.key,
    user_id: TEXT.key,
    created_at: INTEGER,
    updated_at: INTEGER,
    /** Null for a mute without end. */
    expires: INTEGER.null,
  },
  { indexes: { channel_mutes_by_user: "(user_id, cid)" } },
);
export type ChannelMuteRow = RowOf<typeof channelMutes>;
