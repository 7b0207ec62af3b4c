/** Operations on push preferences and providers by their path. */

export const pushCommands = {};
