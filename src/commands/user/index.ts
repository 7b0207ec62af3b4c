/** Operations on people by their path. */
import get from "./get.ts";
import list from "./list.ts";

export const userCommands = {
  "user list": list,
  "user get": get,
};
