/** The commands on locations, by their full names. */
import list from "./list.ts";
import share from "./share.ts";
import stop from "./stop.ts";
import update from "./update.ts";

export const locationCommands = {
  "location share": share,
  "location update": update,
  "location stop": stop,
  "location list": list,
};
