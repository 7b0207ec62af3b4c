/** Operations on imports by their path. */

export const importCommands = {};
