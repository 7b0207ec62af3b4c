/** Operations on blocklists by their path. */

export const blocklistCommands = {};
