/** Operations on roles by their path. */

export const roleCommands = {};
