/** The commands on push devices, by their full names. */
import add from "./add.ts";
import list from "./list.ts";
import remove from "./remove.ts";

export const deviceCommands = { "device list": list, "device add": add, "device remove": remove };
