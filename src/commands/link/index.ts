/** Operations on links by their path. */

export const linkCommands = {};
