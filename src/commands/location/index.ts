/** Operations on shared locations by their path. */

export const locationCommands = {};
