/** Pins and unpins a message for everybody, with ten seconds to undo. */
import { words } from "../../../text/words.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import type { MessageAction } from "./with-message.ts";

export const pinNotice = (pinned: boolean): { done: string; what: string } =>
  pinned
    ? { done: words.message.pinned, what: words.acting.pin }
    : { done: words.notices.unpinned, what: words.acting.unpin };

export const setPin =
  (pinned: boolean): MessageAction =>
  (ports, message) =>
    runAndOfferTakeBack(ports, ports.core.pin(message, pinned), pinNotice(pinned), () =>
      ports.core.pin(message, !pinned),
    );
