/** Composer lines that change a message, as its keys do, with ten seconds to undo what others see. */
import type { Question } from "../../../commands/base/define-command.ts";
import type { CommandLine } from "../../../commands/line.ts";
import { mayRemove } from "../../../model/permissions.ts";
import type { HeldMessage, ThreadRef } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { messageIn } from "../../screen/selectors.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { pinNotice } from "../messages/pin.ts";
import { reactionNotice } from "../messages/react.ts";
import { hardDeleteQuestion, removeForMe, removeForAll, removeMany } from "../messages/remove.ts";
import type { LineOutcome } from "./line-outcome.ts";

/** The messages that a line names, where all of them are held in this place. */
function heldIn({ store }: Ports, place: ThreadRef, ids: readonly string[]): HeldMessage[] | undefined {
  const found = ids.flatMap((id) => messageIn(store.state, place, id) ?? []);
  return found.length > 0 && found.length === ids.length ? found : undefined;
}

interface Removal {
  messages?: readonly string[];
  file?: string;
  hard?: boolean;
  forMe?: boolean;
}

/** The messages that a `/message delete` is about, where all of them are in this place. */
function removal(
  ports: Ports,
  { path, values }: CommandLine,
  place: ThreadRef | undefined,
): (Removal & { held: HeldMessage[] }) | undefined {
  if (path !== "message delete" || !place) return undefined;
  const { messages = [], ...how } = values as Removal;
  const held = how.file === undefined ? heldIn(ports, place, messages) : undefined;
  return held && { ...how, held };
}

/** Deleting has a way back afterwards instead of a question first. False where the line is about something else. */
export function removedByLine(
  ports: Ports,
  line: CommandLine,
  place: ThreadRef | undefined,
  typed: LineOutcome,
): boolean {
  const { held = [], hard, forMe } = removal(ports, line, place) ?? {};
  const [first, ...more] = held;
  if (!first || hard || (forMe && more.length > 0)) return false;
  if (!forMe && !held.some((message) => mayRemove(ports.store.state, message, ports.core.userId))) {
    showNotice(ports, words.removing.notYours, "warning");
    return true;
  }
  typed.taken();
  if (more.length > 0) removeMany(ports, held);
  else (forMe ? removeForMe : removeForAll)(ports, first);
  return true;
}

/** What is asked before the line is carried out, in words of what is seen. */
export function questionOf(
  ports: Ports,
  line: CommandLine,
  place: ThreadRef | undefined,
): Question | undefined {
  const { held: [message, ...more] = [], hard } = removal(ports, line, place) ?? {};
  if (message && hard && more.length === 0) return hardDeleteQuestion(message);
  return line.command.confirm?.(line.values as never);
}

/** Offers the way back of a line that pins, reacts or takes such away, once it was carried out; undefined where it changes nothing or more than one thing. */
export function wayBack(
  ports: Ports,
  { path, values }: CommandLine,
  place: ThreadRef | undefined,
): (() => void) | undefined {
  const { message: id, type, unique } = values as { message?: string; type?: string; unique?: boolean };
  const [message] = (place && id !== undefined && heldIn(ports, place, [id])) || [];
  if (!message) return undefined;
  const { core } = ports;
  const mine = message.own_reactions.find((each) => each.type === type);
  const offer =
    (said: { done: string; what: string }, back: () => Promise<void>): (() => void) =>
    () =>
      offerTakeBack(ports, said, () => attempt(ports, back()));
  switch (path) {
    case "message pin":
      return message.pinned ? undefined : offer(pinNotice(true), () => core.pin(message, false));
    case "message unpin":
      return message.pinned ? offer(pinNotice(false), () => core.pin(message, true)) : undefined;
    case "message react":
      return mine || unique ? undefined : offer(reactionNotice(true), () => core.unreact(message, type!));
    case "message unreact":
      return mine && offer(reactionNotice(false), () => core.react(message, type!, { score: mine.score }));
  }
  return undefined;
}
