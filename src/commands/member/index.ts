/** The commands on members, by their full names. */
import add from "./add.ts";
import ban from "./ban.ts";
import demote from "./demote.ts";
import list from "./list.ts";
import promote from "./promote.ts";
import remove from "./remove.ts";
import role from "./role.ts";
import set from "./set.ts";
import shadowBan from "./shadow-ban.ts";
import unban from "./unban.ts";

export const memberCommands = {
  "member list": list,
  "member add": add,
  "member remove": remove,
  "member role": role,
  "member promote": promote,
  "member demote": demote,
  "member set": set,
  "member ban": ban,
  "member shadow-ban": shadowBan,
  "member unban": unban,
};
