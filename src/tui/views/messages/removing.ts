/** Deletes messages: with ten seconds to undo, for oneself alone, or for good after a question. */
import type { Question } from "../../../commands/base/define-command.ts";
import { isPresent } from "../../../model/message-state.ts";
import { shortText } from "../../../model/message-words.ts";
import { mayRemove } from "../../../model/permissions.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { count, words } from "../../../text/words.ts";
import { offerTakeBack, TAKE_BACK_MS } from "../../ports/take-back.ts";
import { ask, attempt, tell } from "../../screen/telling.ts";
import { ifAllowed, type Act, type Acting } from "./acting.ts";

/** A message that was not sent is forgotten; its text can be walked back to. */
export const dropIt: Act = (ports, message) => {
  if (message.status !== "failed" && message.status !== "sending")
    return tell(ports, words.acting.onlyUnsent);
  ask(ports, { level: "mild", question: words.acting.drop(shortText(message)) }, () => {
    ports.boxes.remember(message.text);
    ports.core.drop(message.id);
  });
};

const mayGo = ({ core, store }: Acting, message: HeldMessage): boolean =>
  mayRemove(store.state, message, core.userId);

/** They go out when they can no longer be taken back. */
function removeNow(ports: Acting, messages: readonly HeldMessage[], done: string, forMe: boolean): void {
  const { core, store } = ports;
  for (const message of messages)
    attempt(ports, core.remove(message, { afterMs: TAKE_BACK_MS, ...(forMe && { forMe }) }));
  offerTakeBack(ports, { done, what: words.removing.theDelete }, () => {
    const kept = messages.filter(({ id }) => core.keepMessage(id)).length;
    store.now((s) => s);
    if (kept === messages.length) tell(ports, words.notices.takenBack(words.removing.theDelete), "success");
    else tell(ports, kept === 0 ? words.notices.tooLate : words.removing.someKept(kept), "warning");
  });
}

export const removeIt: Act = (ports, message) => {
  if (message.status === "failed") return dropIt(ports, message);
  if (!mayGo(ports, message)) return tell(ports, words.removing.notYours, "warning");
  removeNow(ports, [message], words.notices.deleted, false);
};

/** Those that may go do; the others are told. */
export function removeMany(ports: Acting, messages: readonly HeldMessage[]): void {
  const mine = messages.filter((message) => mayGo(ports, message));
  if (mine.length === 0) return tell(ports, words.removing.noneYours, "warning");
  const stay = messages.length - mine.length;
  removeNow(ports, mine, words.removing.many(count(mine.length, "message"), stay), false);
}

export const removeForMe = ifAllowed(undefined, (ports, message) =>
  removeNow(ports, [message], words.removing.forMe, true),
);

/** By what it says: nobody knows a message by its id. */
export const askForGood = (message: HeldMessage): Question => ({
  level: "moderate",
  question: words.removing.forGood(shortText(message)),
});

export const removeForGood: Act = (ports, message) => {
  if (!isPresent(message) || !mayGo(ports, message)) return tell(ports, words.removing.notYours, "warning");
  ask(ports, askForGood(message), () => attempt(ports, ports.core.remove(message, { hard: true })));
};
