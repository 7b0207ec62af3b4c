/** Operations on polls by their path. */

export const pollCommands = {};
