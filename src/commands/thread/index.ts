/** Operations on threads by their path. */

export const threadCommands = {};
