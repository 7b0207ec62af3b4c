/** The commands on roles, by their full names. */
import create from "./create.ts";
import remove from "./delete.ts";
import list from "./list.ts";

export const roleCommands = { "role list": list, "role create": create, "role delete": remove };
