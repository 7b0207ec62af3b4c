/** Adds or removes the user's reaction to a message, with ten seconds to undo. */
import type { ClientMessage } from "../../../model/state.ts";
import { reactionGlyph } from "../../../text/emoji.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, showError } from "../../screen/notices.ts";

export const reactionNotice = (added: boolean): { done: string; what: string } =>
  added
    ? { done: words.notices.reacted, what: words.acting.reaction }
    : { done: words.notices.unreacted, what: words.acting.unreaction };

/** A sign without its variation: ❤ and ❤️ are one to the eye. */
const bareGlyph = (type: string): string => reactionGlyph(type).replaceAll("\ufe0f", "");

/** The type that the message already has for the sign of this name, so that equal signs are counted together. */
export function typeLike({ reaction_groups: groups }: ClientMessage, name: string): string {
  if (Object.hasOwn(groups, name)) return name;
  return Object.keys(groups).find((type) => bareGlyph(type) === bareGlyph(name)) ?? name;
}

export function toggleReaction(
  ports: Pick<Ports, "core" | "store" | "clock" | "keys">,
  message: ClientMessage,
  type: string,
): void {
  const { core } = ports;
  const reaction = message.own_reactions.find((r) => r.type === type);
  const request = reaction ? core.unreact(message, type) : core.react(message, type);
  const undo = (): Promise<unknown> =>
    reaction ? core.react(message, type, { score: reaction.score }) : core.unreact(message, type);
  const withdraw = offerTakeBack(ports, reactionNotice(!reaction), () => attempt(ports, undo()));
  request.catch((error: unknown) => {
    withdraw();
    showError(ports, error);
  });
}
