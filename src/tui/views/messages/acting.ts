/** Wraps actions on one message: refused where there is none, or where the channel does not allow it. */
import { words } from "../../../text/words.ts";
import { isPresent } from "../../../model/message-state.ts";
import { hasCapability } from "../../../model/permissions.ts";
import type { HeldMessage } from "../../../model/state.ts";
import type { Capability } from "../../../wire/entities/capabilities.ts";
import type { Opening } from "../../navigation/opening.ts";
import type { Ports } from "../../ports/ports.ts";
import { selectedIn } from "../../screen/selectors.ts";
import { tell } from "../../screen/telling.ts";
import type { Lists } from "./list.ts";

/** What acting on a message needs. */
export type Acting = Lists & Opening & Pick<Ports, "terminal" | "clock" | "keys" | "pictures">;

export type Act = (ports: Acting, message: HeldMessage) => void;

/** Runs with the message under the cursor; says so when there is none. */
export const withMessage =
  (act: Act) =>
  (ports: Acting): void => {
    const message = selectedIn(ports.store.get());
    if (message) act(ports, message);
    else tell(ports, words.acting.chooseFirst);
  };

/** Only with a message that reached the provider, and with the capability it needs. */
export const ifAllowed =
  (capability: Capability | undefined, act: Act): Act =>
  (ports, message) => {
    if (!isPresent(message)) return tell(ports, words.acting.notThere, "warning");
    if (capability && !hasCapability(ports.store.state.channels.get(message.cid), capability))
      return tell(ports, words.acting.notAllowed(capability), "warning");
    act(ports, message);
  };

/** The same with the message under the cursor. */
export const withMessageIfAllowed = (
  capability: Capability | undefined,
  act: Act,
): ((ports: Acting) => void) => withMessage(ifAllowed(capability, act));
