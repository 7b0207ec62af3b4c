/** The commands on archives, by their full names. */
import create from "./create.ts";
import merge from "./merge.ts";
import search from "./search.ts";
import show from "./show.ts";
import stats from "./stats.ts";
import update from "./update.ts";
import verify from "./verify.ts";

export const archiveCommands = {
  "archive create": create,
  "archive update": update,
  "archive verify": verify,
  "archive stats": stats,
  "archive show": show,
  "archive search": search,
  "archive merge": merge,
};
