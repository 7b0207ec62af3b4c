/** The commands on custom events, by their full names. */
import send from "./send.ts";

export const eventCommands = { "event send": send };
