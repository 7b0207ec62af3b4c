/** Deletes messages: with ten seconds to undo, for the user alone, or permanently after a question. */
import type { Question } from "../../../commands/base/define-command.ts";
import { isPresent } from "../../../model/message-state.ts";
import { shortText } from "../../../model/message-words.ts";
import { mayRemove } from "../../../model/permissions.ts";
import type { ClientMessage } from "../../../model/state.ts";
import { count, words } from "../../../text/words.ts";
import { offerTakeBack, TAKE_BACK_MS } from "../../ports/take-back.ts";
import { askToConfirm, attempt, showNotice } from "../../screen/notices.ts";
import { ifAllowed, type MessageAction, type MessagePorts } from "./with-message.ts";

/** Drops an unsent message after a question; its text stays in the composer's history. */
export const dropUnsentMessage: MessageAction = (ports, message) => {
  if (message.status !== "failed" && message.status !== "sending")
    return showNotice(ports, words.acting.onlyUnsent);
  askToConfirm(ports, { level: "mild", question: words.acting.drop(shortText(message)) }, () => {
    ports.boxes.remember(message.text);
    ports.core.drop(message.id);
  });
};

const mayDelete = ({ core, store }: MessagePorts, message: ClientMessage): boolean =>
  mayRemove(store.state, message, core.userId);

/** The requests are sent when the time to undo is over. */
function removeLater(ports: MessagePorts, messages: readonly ClientMessage[], done: string, forMe: boolean) {
  const { core, store } = ports;
  for (const message of messages)
    attempt(ports, core.remove(message, { afterMs: TAKE_BACK_MS, ...(forMe && { forMe }) }));
  offerTakeBack(ports, { done, what: words.removing.delete }, () => {
    const restored = messages.filter(({ id }) => core.keepMessage(id)).length;
    store.update((s) => s);
    const partial = restored === 0 ? words.notices.tooLate : words.removing.someKept(restored);
    if (restored < messages.length) showNotice(ports, partial, "warning");
    else showNotice(ports, words.notices.undone(words.removing.delete), "success");
  });
}

export const removeForAll: MessageAction = (ports, message) => {
  if (message.status === "failed") return dropUnsentMessage(ports, message);
  if (!mayDelete(ports, message)) return showNotice(ports, words.removing.notYours, "warning");
  removeLater(ports, [message], words.notices.deleted, false);
};

/** Deletes those that the user may delete, and tells how many were skipped. */
export function removeMany(ports: MessagePorts, messages: readonly ClientMessage[]): void {
  const deletable = messages.filter((message) => mayDelete(ports, message));
  if (deletable.length === 0) return showNotice(ports, words.removing.noneYours, "warning");
  const skipped = messages.length - deletable.length;
  removeLater(ports, deletable, words.removing.many(count(deletable.length, "message"), skipped), false);
}

export const removeForMe = ifAllowed(undefined, (ports, message) =>
  removeLater(ports, [message], words.removing.forMe, true),
);

/** Quotes the text, because nobody knows a message by its id. */
export const hardDeleteQuestion = (message: ClientMessage): Question => ({
  level: "moderate",
  question: words.removing.forGood(shortText(message)),
});

export const removeForGood: MessageAction = (ports, message) => {
  if (!isPresent(message) || !mayDelete(ports, message))
    return showNotice(ports, words.removing.notYours, "warning");
  askToConfirm(ports, hardDeleteQuestion(message), () =>
    attempt(ports, ports.core.remove(message, { hard: true })),
  );
};
