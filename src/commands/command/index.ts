/** The commands on slash commands, by their full names. */
import create from "./create.ts";
import remove from "./delete.ts";
import get from "./get.ts";
import list from "./list.ts";
import update from "./update.ts";

export const commandCommands = {
  "command list": list,
  "command get": get,
  "command create": create,
  "command update": update,
  "command delete": remove,
};
