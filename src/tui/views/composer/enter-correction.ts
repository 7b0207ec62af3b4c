/** `s/old/new/` corrects the user's last message. */
import { otherMembers } from "../../../model/channels.ts";
import { locateMentions, mentionsIn } from "../../../model/mentions.ts";
import { lastOwn } from "../../../model/permissions.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { clearCommand } from "./typed-command.ts";
import type { LineKind } from "./entered-line.ts";
import { showUnmentioned } from "./enter-message.ts";

const CORRECTION = /^s\/((?:[^/\\\n]|\\.)+)\/((?:[^/\\\n]|\\.)*)\/?$/;

function people(ports: Ports, cid: string) {
  const entry = ports.store.state.channels.get(cid);
  return entry ? otherMembers(entry, ports.core.userId) : [];
}

/** True if the message was corrected. */
function correctLast(ports: Ports, place: ThreadRef, match: RegExpExecArray): boolean {
  const unescape = (text: string): string => text.replace(/\\(.)/g, "$1");
  const message = lastOwn(ports.store.state, place, ports.core.userId);
  if (message?.status === "sending") {
    showNotice(ports, words.message.onItsWay);
    return false;
  }
  const from = unescape(match[1]!);
  if (!message?.text.includes(from)) {
    showNotice(ports, words.acting.notContained(cleanLine(from)), "warning");
    return false;
  }
  const text = message.text.replace(from, () => unescape(match[2]!));
  const { mentioned_users: earlier } = message;
  const found = mentionsIn(text, {
    chosen: locateMentions(text, earlier),
    earlier,
    others: people(ports, message.cid),
    me: ports.store.state.users.get(ports.core.userId ?? ""),
  });
  attempt(ports, ports.core.edit(message, { text, mentioned_users: found.ids }));
  showUnmentioned(ports, found);
  return true;
}

export const correction: LineKind = (ports, { place, text }) => {
  const match = CORRECTION.exec(text);
  if (match && correctLast(ports, place, match)) clearCommand(ports, place);
  return match !== null;
};
