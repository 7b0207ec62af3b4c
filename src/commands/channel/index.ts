/** Operations on channels by their path. */
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
};
