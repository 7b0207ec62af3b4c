/** Forwards a message to another channel or person. */
import { cidTitle, isDirect, userName } from "../../../model/channels.ts";
import { isLinkCard } from "../../../model/message-links.ts";
import type { ClientMessage, State } from "../../../model/state.ts";
import { count, words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import { contentSummary } from "../../render/cards.ts";
import type { Ports } from "../../ports/ports.ts";
import { browsePlace } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { openPlaces } from "../../navigation/open-places.ts";
import { placeChoices } from "../../navigation/destinations.ts";

type ForwardPorts = Pick<Ports, "core" | "store" | "settings">;

/** Opens the list of channels and people to forward to. */
export function askForwardTarget(ports: ForwardPorts, messages: readonly ClientMessage[]): void {
  if (messages.length === 0) return showNotice(ports, words.forwarding.none);
  const forward = (to: { cid: string } | { userId: string }): void => {
    // The messages as they are now.
    const place = browsePlace(ports.store.screen);
    const current = messages
      .flatMap(({ id }) => (place && messageIn(ports.store.state, place, id)) ?? [])
      .filter(({ type }) => type !== "deleted");
    if (current.length === 0) return showNotice(ports, words.acting.notThere, "warning");
    attempt(ports, forwardMessages(ports, current, to));
  };
  openPlaces(ports, () => ({
    title: words.forwarding.title(count(messages.length, "message")),
    choices: placeChoices(ports.store.state, ports.store.screen.cid, forward),
  }));
}

/** Leaves out cards of links in the text, which the provider makes again, and buttons, which belong to the first receiver. */
function forwardedAttachments({ text, attachments }: ClientMessage): Attachment[] {
  const isRecreated = (a: Attachment): boolean =>
    isLinkCard(a) && [a.og_scrape_url, a.title_link].some((url) => url !== undefined && text.includes(url));
  return attachments.filter((a) => !isRecreated(a)).map((a) => ({ ...a, actions: undefined }));
}

/** `↪ ana in #general` and under it the text. */
function forwardedMessage(state: State, message: ClientMessage): { text: string; attachments: Attachment[] } {
  const entry = state.channels.get(message.cid);
  // The title of a direct channel names its members, which is private.
  const channelTitle = entry && !isDirect(entry) ? cidTitle(state, message.cid) : "";
  const text = message.text || (message.attachments.length > 0 ? "" : contentSummary(message));
  const head = words.forwarding.from(userName(message.user), channelTitle);
  return { text: text ? `${head}\n${text}` : head, attachments: forwardedAttachments(message) };
}

/** Rejects with the error of a failed send; the failed message also shows in its channel. */
async function waitForDelivery({ outcome }: ReturnType<Ports["core"]["send"]>): Promise<void> {
  const result = await outcome;
  if (result.state === "failed") throw result.error;
}

export async function forwardMessages(
  ports: ForwardPorts,
  messages: readonly ClientMessage[],
  to: { cid: string } | { userId: string },
): Promise<void> {
  const { core, store } = ports;
  if (ports.settings.readOnly) throw new Error(words.readOnly.refused);
  const cid = "cid" in to ? to.cid : await core.openDirect([to.userId], ports.settings.channelType);
  for (const message of messages)
    attempt(ports, waitForDelivery(core.send({ cid }, forwardedMessage(store.state, message))));
  store.update((s) => s);
  showNotice(ports, words.forwarding.done(cidTitle(store.state, cid)), "success");
}
