/** The commands on tasks, by their full names. */
import get from "./get.ts";
import wait from "./wait.ts";

export const taskCommands = { "task get": get, "task wait": wait };
