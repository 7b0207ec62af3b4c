/** Pins and unpins a message for everybody, with ten seconds to undo. */
import { words } from "../../../text/words.ts";
import { doAndOffer } from "../../ports/take-back.ts";
import type { Act } from "./acting.ts";

export const pinSaid = (pinned: boolean): { done: string; what: string } =>
  pinned
    ? { done: words.message.pinned, what: words.acting.pin }
    : { done: words.notices.unpinned, what: "that" };

export const setPin =
  (pinned: boolean): Act =>
  (ports, message) =>
    doAndOffer(ports, ports.core.pin(message, pinned), pinSaid(pinned), () =>
      ports.core.pin(message, !pinned),
    );
