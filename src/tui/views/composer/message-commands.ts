/** Gives typed commands that change a message the same undo and questions as its keys. */
import type { Question } from "../../../commands/base/define-command.ts";
import type { CommandLine, LoadedLine } from "../../../commands/line.ts";
import { mayRemove } from "../../../model/permissions.ts";
import type { ClientMessage, ThreadRef } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { messageIn } from "../../screen/selectors.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { pinNotice } from "../messages/pin.ts";
import { reactionNotice } from "../messages/react.ts";
import { hardDeleteQuestion, removeForMe, removeForAll, removeMany } from "../messages/remove.ts";
import type { TypedCommand } from "./typed-command.ts";

/** The messages with these ids, if all of them are loaded in this channel or thread. */
function loadedMessages(
  { store }: Ports,
  place: ThreadRef,
  ids: readonly string[],
): ClientMessage[] | undefined {
  const found = ids.flatMap((id) => messageIn(store.state, place, id) ?? []);
  return found.length > 0 && found.length === ids.length ? found : undefined;
}

interface DeleteOptions {
  messages?: readonly string[];
  file?: string;
  hard?: boolean;
  forMe?: boolean;
}

/** Options and messages of a `/message delete`; undefined for other commands, and when a message is not loaded here. */
function deleteCommand(
  ports: Ports,
  { path, values }: Pick<CommandLine, "path" | "values">,
  place: ThreadRef | undefined,
) {
  if (path !== "message delete" || !place) return undefined;
  const { messages: ids = [], file, hard, forMe } = values as DeleteOptions;
  const messages = file === undefined ? loadedMessages(ports, place, ids) : undefined;
  return messages && { messages, hard, forMe };
}

/** Deletes with an undo afterwards instead of a question first. False when the command has to run as usual. */
export function deleteByLine(
  ports: Ports,
  line: CommandLine,
  place: ThreadRef | undefined,
  typed: TypedCommand,
): boolean {
  const { messages = [], hard, forMe } = deleteCommand(ports, line, place) ?? {};
  const [first, ...others] = messages;
  if (!first || hard || (forMe && others.length > 0)) return false;
  if (!forMe && !messages.some((message) => mayRemove(ports.store.state, message, ports.core.userId))) {
    showNotice(ports, words.removing.notYours, "warning");
    return true;
  }
  typed.clear();
  if (others.length > 0) removeMany(ports, messages);
  else (forMe ? removeForMe : removeForAll)(ports, first);
  return true;
}

/** The question before a command runs; for a hard delete it quotes the message. */
export function questionOf(
  ports: Ports,
  line: LoadedLine,
  place: ThreadRef | undefined,
): Question | undefined {
  const { messages: [message, ...others] = [], hard } = deleteCommand(ports, line, place) ?? {};
  if (message && hard && others.length === 0) return hardDeleteQuestion(message);
  return line.question;
}

/** Offers the undo after a command has (un)pinned or (un)reacted; undefined where one undo step cannot restore the state. */
export function undoOffer(
  ports: Ports,
  { path, values }: CommandLine,
  place: ThreadRef | undefined,
): (() => void) | undefined {
  const { message: id, type, unique } = values as { message?: string; type?: string; unique?: boolean };
  const [message] = (place && id !== undefined && loadedMessages(ports, place, [id])) || [];
  if (!message) return undefined;
  const { core } = ports;
  const reaction = message.own_reactions.find((each) => each.type === type);
  const offer =
    (notice: { done: string; what: string }, undo: () => Promise<void>): (() => void) =>
    () =>
      offerTakeBack(ports, notice, () => attempt(ports, undo()));
  switch (path) {
    case "message pin":
      return message.pinned ? undefined : offer(pinNotice(true), () => core.pin(message, false));
    case "message unpin":
      return message.pinned ? offer(pinNotice(false), () => core.pin(message, true)) : undefined;
    case "message react":
      return reaction || unique ? undefined : offer(reactionNotice(true), () => core.unreact(message, type!));
    case "message unreact":
      return (
        reaction && offer(reactionNotice(false), () => core.react(message, type!, { score: reaction.score }))
      );
  }
  return undefined;
}
