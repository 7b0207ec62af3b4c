/** The commands on channels, by their full names. */
import batch from "./batch.ts";
import create from "./create.ts";
import remove from "./delete.ts";
import exportChannels from "./export.ts";
import get from "./get.ts";
import hide from "./hide.ts";
import join from "./join.ts";
import leave from "./leave.ts";
import list from "./list.ts";
import mute from "./mute.ts";
import read from "./read.ts";
import show from "./show.ts";
import unmute from "./unmute.ts";
import unread from "./unread.ts";
import accept from "./accept.ts";
import archive from "./archive.ts";
import freeze from "./freeze.ts";
import invite from "./invite.ts";
import pin from "./pin.ts";
import readState from "./read-state.ts";
import reject from "./reject.ts";
import set from "./set.ts";
import truncate from "./truncate.ts";
import unarchive from "./unarchive.ts";
import unfreeze from "./unfreeze.ts";
import unpin from "./unpin.ts";
import unset from "./unset.ts";
import update from "./update.ts";
import watchers from "./watchers.ts";

export const channelCommands = {
  "channel list": list,
  "channel get": get,
  "channel create": create,
  "channel join": join,
  "channel leave": leave,
  "channel hide": hide,
  "channel show": show,
  "channel read": read,
  "channel unread": unread,
  "channel mute": mute,
  "channel unmute": unmute,
  "channel delete": remove,
  "channel batch": batch,
  "channel export": exportChannels,
  "channel update": update,
  "channel set": set,
  "channel unset": unset,
  "channel truncate": truncate,
  "channel freeze": freeze,
  "channel unfreeze": unfreeze,
  "channel pin": pin,
  "channel unpin": unpin,
  "channel archive": archive,
  "channel unarchive": unarchive,
  "channel watchers": watchers,
  "channel read-state": readState,
  "channel invite": invite,
  "channel accept": accept,
  "channel reject": reject,
};
