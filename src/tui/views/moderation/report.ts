/** Reports a message or a person to the moderators. */
import { messageWords } from "../../../model/message-words.ts";
import type { ClientMessage } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { runAndOfferTakeBack } from "../../ports/take-back.ts";
import { openPicker, showNotice } from "../../screen/notices.ts";

type ReportPorts = Pick<Ports, "core" | "store" | "clock" | "keys">;
type Target = { target_user_id: string } | { target_message_id: string };

export const askReportReason = (ports: ReportPorts, target: Target, what: string): void =>
  openPicker(ports, {
    title: words.flagging.title(what),
    hint: words.flagging.hint,
    choices: ({ query }) =>
      reasonChoices(query).map(({ label, reason }) => ({
        label,
        choose: () => sendReport(ports, target, reason),
      })),
  });

export function reportMessage(ports: ReportPorts, message: ClientMessage): void {
  if (message.user?.id === ports.core.userId) return showNotice(ports, words.flagging.own);
  askReportReason(ports, { target_message_id: message.id }, messageWords(message));
}

/** Reasons that match the typed text, and the text itself. */
function reasonChoices(query: string): { label: string; reason: string }[] {
  const typed = query.toLowerCase();
  const matching = words.flagging.reasons
    .filter((reason) => reason.toLowerCase().includes(typed))
    .map((reason) => ({ label: reason, reason }));
  const ownReason = cleanLine(query);
  return ownReason && !matching.some(({ reason }) => reason.toLowerCase() === typed)
    ? [...matching, { label: `“${ownReason}”`, reason: ownReason }]
    : matching;
}

function sendReport(ports: ReportPorts, target: Target, reason: string): void {
  const { core } = ports;
  const notice = { done: words.flagging.done, what: words.flagging.report };
  const request = core.call("flag", { body: { ...target, reason } });
  runAndOfferTakeBack(ports, request, notice, () => core.call("unflag", { body: target }));
}
