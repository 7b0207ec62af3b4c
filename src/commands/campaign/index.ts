/** Operations on campaigns by their path. */

export const campaignCommands = {};
