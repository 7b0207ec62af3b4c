/** Reports a message or a person to the moderators. */
import { messageWords } from "../../../model/message-words.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { doAndOffer } from "../../ports/take-back.ts";
import { showNotice, openPicker } from "../../screen/notices.ts";

/** `about`: `message ID` or `user ID`. */
export const askWhy = (ports: Pick<Ports, "store">, about: string, what: string): void =>
  openPicker(ports, { name: "flag", title: words.flagging.title(what), about });

export function flagIt(ports: Pick<Ports, "core" | "store">, message: HeldMessage): void {
  if (message.user?.id === ports.core.userId) return showNotice(ports, words.flagging.own);
  askWhy(ports, `message ${message.id}`, messageWords(message));
}

/** Reasons that fit what was typed, else the typed one. */
export function reasonChoices(query: string): Choice[] {
  const wanted = query.trim().toLowerCase();
  const fit = words.flagging.reasons
    .filter((reason) => reason.toLowerCase().includes(wanted))
    .map((reason): Choice => ({ label: reason, value: reason }));
  const own = cleanLine(query.trim());
  return own && !fit.some(({ value }) => value.toLowerCase() === wanted)
    ? [...fit, { label: `“${own}”`, value: own }]
    : fit;
}

export function flagFor(ports: Ports, about: string, reason: string): void {
  const [kind, id] = [about.slice(0, about.indexOf(" ")), about.slice(about.indexOf(" ") + 1)];
  const target = kind === "user" ? { target_user_id: id } : { target_message_id: id };
  const { core } = ports;
  const said = { done: words.flagging.done, what: words.flagging.report };
  const flagged = core.call("flag", { body: { ...target, reason } });
  doAndOffer(ports, flagged, said, () => core.call("unflag", { body: target }));
}
