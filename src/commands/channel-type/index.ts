/** The commands on channel types, by their full names. */
import create from "./create.ts";
import remove from "./delete.ts";
import get from "./get.ts";
import list from "./list.ts";
import update from "./update.ts";

export const channelTypeCommands = {
  "channel-type list": list,
  "channel-type get": get,
  "channel-type create": create,
  "channel-type update": update,
  "channel-type delete": remove,
};
