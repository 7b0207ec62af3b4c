/** Operations on exports by their path. */

export const exportCommands = {};
