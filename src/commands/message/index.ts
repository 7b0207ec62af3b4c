/** Operations on messages by their path. */
import erase from "./delete.ts";
import edit from "./edit.ts";
import flag from "./flag.ts";
import get from "./get.ts";
import list from "./list.ts";
import pin from "./pin.ts";
import react from "./react.ts";
import replies from "./replies.ts";
import send from "./send.ts";
import unflag from "./unflag.ts";
import unpin from "./unpin.ts";
import unreact from "./unreact.ts";

export const messageCommands = {
  "message send": send,
  "message list": list,
  "message get": get,
  "message edit": edit,
  "message delete": erase,
  "message react": react,
  "message unreact": unreact,
  "message replies": replies,
  "message pin": pin,
  "message unpin": unpin,
  "message flag": flag,
  "message unflag": unflag,
};
