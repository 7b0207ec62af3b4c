/** Operations on segments by their path. */

export const segmentCommands = {};
