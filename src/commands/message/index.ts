/** The commands on messages, by their full names. */
import action from "./action.ts";
import erase from "./delete.ts";
import commit from "./commit.ts";
import edit from "./edit.ts";
import flag from "./flag.ts";
import get from "./get.ts";
import history from "./history.ts";
import link from "./link.ts";
import list from "./list.ts";
import open from "./open.ts";
import pin from "./pin.ts";
import react from "./react.ts";
import reactions from "./reactions.ts";
import replies from "./replies.ts";
import send from "./send.ts";
import translate from "./translate.ts";
import undelete from "./undelete.ts";
import unflag from "./unflag.ts";
import unpin from "./unpin.ts";
import unreact from "./unreact.ts";

export const messageCommands = {
  "message send": send,
  "message list": list,
  "message get": get,
  "message edit": edit,
  "message delete": erase,
  "message undelete": undelete,
  "message history": history,
  "message translate": translate,
  "message commit": commit,
  "message link": link,
  "message open": open,
  "message react": react,
  "message unreact": unreact,
  "message reactions": reactions,
  "message replies": replies,
  "message pin": pin,
  "message unpin": unpin,
  "message action": action,
  "message flag": flag,
  "message unflag": unflag,
};
