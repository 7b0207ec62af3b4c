/** The commands on polls, by their full names. */
import close from "./close.ts";
import create from "./create.ts";
import erase from "./delete.ts";
import get from "./get.ts";
import optionAdd from "./option-add.ts";
import optionRemove from "./option-remove.ts";
import optionUpdate from "./option-update.ts";
import list from "./list.ts";
import results from "./results.ts";
import unvote from "./unvote.ts";
import update from "./update.ts";
import vote from "./vote.ts";
import votes from "./votes.ts";

export const pollCommands = {
  "poll create": create,
  "poll get": get,
  "poll results": results,
  "poll vote": vote,
  "poll unvote": unvote,
  "poll votes": votes,
  "poll close": close,
  "poll update": update,
  "poll delete": erase,
  "poll list": list,
  "poll option add": optionAdd,
  "poll option update": optionUpdate,
  "poll option remove": optionRemove,
};
