/** Wraps actions on one message: refused without a message, or without the capability in its channel. */
import { words } from "../../../text/words.ts";
import { isPresent } from "../../../model/message-state.ts";
import { hasCapability } from "../../../model/permissions.ts";
import type { ClientMessage } from "../../../model/state.ts";
import type { Capability } from "../../../wire/entities/capabilities.ts";
import type { NavigationPorts } from "../../navigation/open-channel.ts";
import type { Ports } from "../../ports/ports.ts";
import { selectedIn } from "../../screen/selectors.ts";
import { showNotice } from "../../screen/notices.ts";
import type { ListPorts } from "./list.ts";

/** The ports that actions on a message need. */
export type MessagePorts = ListPorts &
  NavigationPorts &
  Pick<Ports, "terminal" | "clock" | "keys" | "pictures" | "settings">;

export type MessageAction = (ports: MessagePorts, message: ClientMessage) => void;

/** Runs with the message under the cursor; without one, asks the user to choose one. */
export const withMessage =
  (action: MessageAction) =>
  (ports: MessagePorts): void => {
    const message = selectedIn(ports.store.get());
    if (message) action(ports, message);
    else showNotice(ports, words.acting.chooseFirst);
  };

/** Only with a message that reached the provider, and with the capability it needs. */
export const ifAllowed =
  (capability: Capability | undefined, action: MessageAction): MessageAction =>
  (ports, message) => {
    if (!isPresent(message)) return showNotice(ports, words.acting.notThere, "warning");
    if (capability && !hasCapability(ports.store.state.channels.get(message.cid), capability))
      return showNotice(ports, words.acting.notAllowed(capability), "warning");
    action(ports, message);
  };

/** The same with the message under the cursor. */
export const withMessageIfAllowed = (
  capability: Capability | undefined,
  action: MessageAction,
): ((ports: MessagePorts) => void) => withMessage(ifAllowed(capability, action));
