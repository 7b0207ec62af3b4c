/** Operations on push preferences and providers by their path. */

import preferences from "./preferences.ts";

export const pushCommands = { "push preferences": preferences };
