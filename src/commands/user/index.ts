/** The commands on people, by their full names. */
import ban from "./ban.ts";
import block from "./block.ts";
import blocked from "./blocked.ts";
import deactivate from "./deactivate.ts";
import remove from "./delete.ts";
import exportOne from "./export.ts";
import flag from "./flag.ts";
import get from "./get.ts";
import guest from "./guest.ts";
import list from "./list.ts";
import mute from "./mute.ts";
import muted from "./muted.ts";
import presence from "./presence.ts";
import reactivate from "./reactivate.ts";
import restore from "./restore.ts";
import revoke from "./revoke.ts";
import set from "./set.ts";
import unban from "./unban.ts";
import unblock from "./unblock.ts";
import unmute from "./unmute.ts";
import unset from "./unset.ts";
import update from "./update.ts";
import upsert from "./upsert.ts";

export const userCommands = {
  "user list": list,
  "user get": get,
  "user upsert": upsert,
  "user set": set,
  "user unset": unset,
  "user update": update,
  "user presence": presence,
  "user mute": mute,
  "user unmute": unmute,
  "user muted": muted,
  "user block": block,
  "user unblock": unblock,
  "user blocked": blocked,
  "user deactivate": deactivate,
  "user reactivate": reactivate,
  "user delete": remove,
  "user restore": restore,
  "user export": exportOne,
  "user guest": guest,
  "user revoke": revoke,
  "user ban": ban,
  "user unban": unban,
  "user flag": flag,
};
