/** The commands on segments, by their full names. */
import add from "./add.ts";
import create from "./create.ts";
import remove from "./delete.ts";
import diff from "./diff.ts";
import get from "./get.ts";
import has from "./has.ts";
import list from "./list.ts";
import takeOut from "./remove.ts";
import size from "./size.ts";
import sync from "./sync.ts";
import targets from "./targets.ts";
import update from "./update.ts";

export const segmentCommands = {
  "segment create": create,
  "segment update": update,
  "segment get": get,
  "segment list": list,
  "segment add": add,
  "segment remove": takeOut,
  "segment targets": targets,
  "segment has": has,
  "segment size": size,
  "segment diff": diff,
  "segment sync": sync,
  "segment delete": remove,
};
