/** What a message allows: its menu and the hints name nothing else. */
import { isBounced } from "../../../model/bounce.ts";
import { filesOf } from "../../../model/message-links.ts";
import { isPresent } from "../../../model/message-state.ts";
import { hasCapability, mayEdit, mayOpenThread, mayRemove } from "../../../model/permissions.ts";
import type { HeldMessage, State } from "../../../model/state.ts";
import type { Capability } from "../../../wire/entities/capabilities.ts";
import type { ActionName } from "../../keys/action-table.ts";
import { mayStop } from "../map/sharing.ts";
import { mayPoll } from "../poll/card.ts";
import { copiedText, pointedIn } from "./actions.ts";
import { hasSpoiler } from "./showing.ts";

interface Given {
  state: State;
  me: string | undefined;
  /** Wall clock, ms. */
  now: number;
}

/** All that can be done with what is gone: who it was of, what is known of it, its name, and the thread under it. */
const OF_A_DELETED: ReadonlySet<ActionName> = new Set<ActionName>([
  "menu",
  "about",
  "person",
  "copyLink",
  "copyId",
  "reply",
  "openMessage",
  "thread",
]);

/** Only with a message that reached the provider, and with this capability where one is needed. */
const WANTS: Readonly<Partial<Record<ActionName, Capability | "none">>> = {
  quote: "quote-message",
  react: "send-reaction",
  reactFirst: "send-reaction",
  flag: "flag-message",
  pin: "pin-message",
  markUnread: "read-events",
  forward: "none",
  translate: "none",
  removeForMe: "none",
};

function reached(action: ActionName, message: HeldMessage, state: State): boolean {
  const wanted = WANTS[action];
  if (wanted === undefined) return true;
  return isPresent(message) && (wanted === "none" || hasCapability(state.channels.get(message.cid), wanted));
}

/** False where the action would do nothing with it, or would be refused. */
export function allows(action: ActionName, message: HeldMessage, { state, me, now }: Given): boolean {
  if (message.type === "deleted" && !OF_A_DELETED.has(action)) return false;
  const isFailed = message.status === "failed";
  switch (action) {
    case "drop":
      return isFailed;
    case "edit":
      return isFailed || isBounced(message) || mayEdit(state, message, me);
    case "remove":
    case "removeForGood":
      return mayRemove(state, message, me);
    case "copy":
      return copiedText(message) !== "";
    case "openLink":
      return pointedIn(message).length > 0;
    case "saveFile":
      return filesOf(message).length > 0;
    case "reveal":
      return hasSpoiler(message);
    case "reply":
      // What failed is tried again by it.
      return isFailed || mayOpenThread(state, message);
    case "openMessage":
      return message.quoted_message_id !== undefined || mayOpenThread(state, message);
    case "thread":
      return mayOpenThread(state, message);
    case "flag":
    case "person":
      return message.user?.id !== me && reached(action, message, state);
    default:
      return (
        mayPoll(action, message, { state, me }) ??
        mayStop(action, message, me, now) ??
        reached(action, message, state)
      );
  }
}
