/** The commands on threads, by their full names. */
import get from "./get.ts";
import list from "./list.ts";
import markUnread from "./mark-unread.ts";
import read from "./read.ts";
import reply from "./reply.ts";
import set from "./set.ts";
import unset from "./unset.ts";

export const threadCommands = {
  "thread list": list,
  "thread get": get,
  "thread reply": reply,
  "thread read": read,
  "thread mark-unread": markUnread,
  "thread set": set,
  "thread unset": unset,
};
