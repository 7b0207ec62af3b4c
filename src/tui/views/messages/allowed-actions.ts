/** Decides which actions a message allows; its menu and the key hints show only these. */
import { isBounced } from "../../../model/bounce.ts";
import { filesOf } from "../../../model/message-links.ts";
import { soundsOf } from "../../../model/sounds.ts";
import { isPresent } from "../../../model/message-state.ts";
import { hasCapability, mayEdit, mayOpenThread, mayRemove } from "../../../model/permissions.ts";
import type { ClientMessage, State } from "../../../model/state.ts";
import type { Capability } from "../../../wire/entities/capabilities.ts";
import type { ActionName } from "../../keys/action-table.ts";
import { canStopSharing } from "../map/share-location.ts";
import { allowsPollAction } from "../poll/card.ts";
import { textToCopy, openablesOf } from "./actions.ts";
import { hasSpoiler } from "./display-options.ts";

interface Context {
  state: State;
  me: string | undefined;
  /** Wall clock, ms. */
  now: number;
}

/** The actions that work on a deleted message. */
const ALLOWED_ON_DELETED: ReadonlySet<ActionName> = new Set<ActionName>([
  "menu",
  "about",
  "person",
  "copyLink",
  "copyId",
  "reply",
  "openMessage",
  "thread",
]);

/** These need a message that reached the provider, and the capability unless it is "none". */
const REQUIRED_CAPABILITIES: Readonly<Partial<Record<ActionName, Capability | "none">>> = {
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

function hasCapabilityFor(action: ActionName, message: ClientMessage, state: State): boolean {
  const required = REQUIRED_CAPABILITIES[action];
  if (required === undefined) return true;
  const channel = state.channels.get(message.cid);
  return isPresent(message) && (required === "none" || hasCapability(channel, required));
}

/** False where the action would do nothing or would be refused. */
export function allowsAction(
  action: ActionName,
  message: ClientMessage,
  { state, me, now }: Context,
): boolean {
  if (message.type === "deleted" && !ALLOWED_ON_DELETED.has(action)) return false;
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
      return textToCopy(message) !== "";
    case "openLink":
      return openablesOf(message).length > 0;
    case "playSound":
      return soundsOf(message).length > 0;
    case "saveFile":
      return filesOf(message).length > 0;
    case "reveal":
      return hasSpoiler(message);
    case "reply":
      // On a failed message it sends again.
      return isFailed || mayOpenThread(state, message);
    case "openMessage":
      return message.quoted_message_id !== undefined || mayOpenThread(state, message);
    case "thread":
      return mayOpenThread(state, message);
    case "reactFirst":
      return Object.keys(message.reaction_groups).length > 0 && hasCapabilityFor(action, message, state);
    case "flag":
    case "person":
      return message.user?.id !== me && hasCapabilityFor(action, message, state);
    default:
      return (
        allowsPollAction(action, message, { state, me }) ??
        canStopSharing(action, message, me, now) ??
        hasCapabilityFor(action, message, state)
      );
  }
}
