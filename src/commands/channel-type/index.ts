/** Operations on channel types by their path. */

export const channelTypeCommands = {};
