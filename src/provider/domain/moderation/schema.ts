/** Tables and columns that bans, mutes, flags and reports added after the first schema. */

export const moderationSchema = "";
