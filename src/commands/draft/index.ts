/** The commands on drafts, by their full names. */
import erase from "./delete.ts";
import get from "./get.ts";
import list from "./list.ts";
import set from "./set.ts";

export const draftCommands = {
  "draft list": list,
  "draft get": get,
  "draft set": set,
  "draft delete": erase,
};
