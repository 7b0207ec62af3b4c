/** The table of muted users. */
import { notOver, INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";

export const userMutes = table(
  "user_mutes",
  {
    user_id: TEXT.key,
    target_id: TEXT.key,
    created_at: INTEGER,
    updated_at: INTEGER,
    /** Null for a mute without end. */
    expires: INTEGER.null,
  },
  {
    indexes: {
      user_mutes_of_target: "(target_id, user_id)",
      user_mutes_due: "(expires) WHERE expires IS NOT NULL",
    },
  },
);
export type UserMuteRow = RowOf<typeof userMutes>;
export type MuteRow = Omit<UserMuteRow, "target_id">;

/** The mutes of these users that have not ended. */
export const lastingOf = (userIds: readonly string[], now: number) => ({
  user_id: userIds,
  expires: notOver(now),
});
