/** Operations on push devices by their path. */

export const deviceCommands = {};
