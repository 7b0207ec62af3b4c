/** Pins and unpins a message for everybody, with ten seconds to undo. */
import { words } from "../../../text/words.ts";
import { offerTakeBack } from "../../screen/take-back.ts";
import { attempt } from "../../screen/telling.ts";
import type { Act } from "./acting.ts";

export const pinSaid = (pinned: boolean): { done: string; what: string } =>
  pinned
    ? { done: words.message.pinned, what: words.acting.pin }
    : { done: words.notices.unpinned, what: "that" };

export const setPin =
  (pinned: boolean): Act =>
  (ports, message) => {
    const { core } = ports;
    const undone = (): void => attempt(ports, core.pin(message, !pinned));
    attempt(
      ports,
      core.pin(message, pinned).then(() => offerTakeBack(ports, pinSaid(pinned), undone)),
    );
  };
