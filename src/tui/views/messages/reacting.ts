/** Adds or removes an own reaction to a message, with ten seconds to undo. */
import type { HeldMessage } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, fail } from "../../screen/telling.ts";

export const reactionSaid = (made: boolean): { done: string; what: string } =>
  made
    ? { done: words.notices.reacted, what: words.acting.reaction }
    : { done: words.notices.unreacted, what: "that" };

export function toggleReaction(
  ports: Pick<Ports, "core" | "store" | "clock" | "keys">,
  message: HeldMessage,
  type: string,
): void {
  const { core } = ports;
  const mine = message.own_reactions.find((r) => r.type === type);
  const work = mine ? core.unreact(message, type) : core.react(message, type);
  const withdraw = offerTakeBack(ports, reactionSaid(!mine), () =>
    attempt(ports, mine ? core.react(message, type, { score: mine.score }) : core.unreact(message, type)),
  );
  work.catch((error: unknown) => {
    withdraw();
    fail(ports, error);
  });
}
