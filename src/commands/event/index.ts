/** Operations on custom events by their path. */

export const eventCommands = {};
