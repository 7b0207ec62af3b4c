/** Operations on bans, flags and reports by their path. */

export const moderationCommands = {};
