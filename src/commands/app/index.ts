/** The commands on the app's settings, by their full names. */
import backup from "./backup.ts";
import diff from "./diff.ts";
import get from "./get.ts";
import update from "./update.ts";

export const appCommands = { "app get": get, "app update": update, "app diff": diff, "app backup": backup };
