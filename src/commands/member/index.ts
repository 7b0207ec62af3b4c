/** Operations on members by their path. */
import add from "./add.ts";
import list from "./list.ts";
import remove from "./remove.ts";

export const memberCommands = {
  "member list": list,
  "member add": add,
  "member remove": remove,
};
