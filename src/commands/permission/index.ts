/** Operations on permissions and grants by their path. */

export const permissionCommands = {};
