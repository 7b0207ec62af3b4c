/** Endpoints of bans, mutes, flags, blocks and reports. */

export const moderationEndpoints = {} as const;
