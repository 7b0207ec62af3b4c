/** Operations on tasks by their path. */

export const taskCommands = {};
