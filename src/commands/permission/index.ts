/** The commands on permissions and grants, by their full names. */
import create from "./create.ts";
import remove from "./delete.ts";
import get from "./get.ts";
import grant from "./grant.ts";
import list from "./list.ts";
import revoke from "./revoke.ts";
import update from "./update.ts";

export const permissionCommands = {
  "permission list": list,
  "permission get": get,
  "permission create": create,
  "permission update": update,
  "permission delete": remove,
  "permission grant": grant,
  "permission revoke": revoke,
};
