/** Reports a message or a person to the moderators. */
import { messageWords } from "../../../model/message-words.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import { showNotice, openPicker } from "../../screen/notices.ts";

/** `about`: `message ID` or `user ID`. */
export const askReportReason = (ports: Pick<Ports, "store">, about: string, what: string): void =>
  openPicker(ports, { name: "flag", title: words.flagging.title(what), about });

export function reportMessage(ports: Pick<Ports, "core" | "store">, message: HeldMessage): void {
  if (message.user?.id === ports.core.userId) return showNotice(ports, words.flagging.own);
  askReportReason(ports, `message ${message.id}`, messageWords(message));
}

/** Reasons that match the typed text, and the text itself. */
export function reasonChoices(query: string): Choice[] {
  const typed = query.trim().toLowerCase();
  const matching = words.flagging.reasons
    .filter((reason) => reason.toLowerCase().includes(typed))
    .map((reason): Choice => ({ label: reason, value: reason }));
  const ownReason = cleanLine(query.trim());
  return ownReason && !matching.some(({ value }) => value.toLowerCase() === typed)
    ? [...matching, { label: `“${ownReason}”`, value: ownReason }]
    : matching;
}

export function sendReport(ports: Ports, about: string, reason: string): void {
  const [kind, id] = [about.slice(0, about.indexOf(" ")), about.slice(about.indexOf(" ") + 1)];
  const target = kind === "user" ? { target_user_id: id } : { target_message_id: id };
  const { core } = ports;
  const notice = { done: words.flagging.done, what: words.flagging.report };
  const request = core.call("flag", { body: { ...target, reason } });
  runAndOfferTakeBack(ports, request, notice, () => core.call("unflag", { body: target }));
}
