/** The commands on blocklists, by their full names. */
import create from "./create.ts";
import remove from "./delete.ts";
import get from "./get.ts";
import list from "./list.ts";
import update from "./update.ts";

export const blocklistCommands = {
  "blocklist list": list,
  "blocklist get": get,
  "blocklist create": create,
  "blocklist update": update,
  "blocklist delete": remove,
};
