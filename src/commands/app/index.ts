/** Operations on the app's settings by their path. */

export const appCommands = {};
