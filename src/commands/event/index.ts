/** Operations on custom events by their path. */
import send from "./send.ts";

export const eventCommands = { "event send": send };
