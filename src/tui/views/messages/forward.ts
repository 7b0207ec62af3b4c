/** Forwards a message to another channel or person. */
import { cidTitle, isDirect, userName } from "../../../model/channels.ts";
import { isLinkCard } from "../../../model/message-links.ts";
import type { HeldMessage, State } from "../../../model/state.ts";
import { count, words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import { contentSummary } from "../../render/cards.ts";
import type { Ports } from "../../ports/ports.ts";
import { browsePlace } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { attempt, showNotice, openPicker } from "../../screen/notices.ts";
import { gotoChoices } from "../../navigation/destinations.ts";

/** Opens the list of channels and people to forward to. */
export function askForwardTarget(
  ports: Pick<Ports, "core" | "store">,
  messages: readonly HeldMessage[],
): void {
  if (messages.length === 0) return showNotice(ports, words.forwarding.none);
  const { state, screen } = ports.store;
  const choices = gotoChoices(state, screen.cid).filter(({ value }) => !value.startsWith("action:"));
  const title = words.forwarding.title(count(messages.length, "message"));
  const about = messages.map(({ id }) => id).join(" ");
  openPicker(ports, { name: "forward", title, choices, about });
}

/** Leaves out cards of links in the text, which the provider makes again, and buttons, which belong to the first receiver. */
function forwardedAttachments({ text, attachments }: HeldMessage): Attachment[] {
  const isRecreated = (a: Attachment): boolean =>
    isLinkCard(a) && [a.og_scrape_url, a.title_link].some((url) => url !== undefined && text.includes(url));
  return attachments.filter((a) => !isRecreated(a)).map((a) => ({ ...a, actions: undefined }));
}

/** `↪ ana in #general` and under it the text. */
function forwardedMessage(state: State, message: HeldMessage): { text: string; attachments: Attachment[] } {
  const entry = state.channels.get(message.cid);
  // The title of a direct channel names its members, which is private.
  const channelTitle = entry && !isDirect(entry) ? cidTitle(state, message.cid) : "";
  const text = message.text || (message.attachments.length > 0 ? "" : contentSummary(message));
  const head = words.forwarding.from(userName(message.user), channelTitle);
  return { text: text ? `${head}\n${text}` : head, attachments: forwardedAttachments(message) };
}

async function cidOfTarget(ports: Ports, value: string): Promise<string> {
  const [kind, id] = [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)];
  if (kind === "channel") return id;
  return ports.core.openDirect([id], ports.settings.channelType);
}

/** Rejects with the error of a failed send; the failed message also shows in its channel. */
async function waitForDelivery({ outcome }: ReturnType<Ports["core"]["send"]>): Promise<void> {
  const result = await outcome;
  if (result.state === "failed") throw result.error;
}

/** To `channel:<cid>` or `user:<id>`. */
export async function forwardMessages(
  ports: Ports,
  messages: readonly HeldMessage[],
  value: string,
): Promise<void> {
  const { core, store } = ports;
  if (ports.settings.readOnly) throw new Error(words.readOnly.refused);
  const cid = await cidOfTarget(ports, value);
  for (const message of messages)
    attempt(ports, waitForDelivery(core.send({ cid }, forwardedMessage(store.state, message))));
  store.update((s) => s);
  showNotice(ports, words.forwarding.done(cidTitle(store.state, cid)), "success");
}

/** `ids`: separated by spaces, of messages in the focused list. */
export function forwardTo(ports: Ports, ids: string, value: string): void {
  const { store } = ports;
  const place = browsePlace(store.screen);
  const messages = ids.split(" ").flatMap((id) => (place && messageIn(store.state, place, id)) ?? []);
  attempt(ports, forwardMessages(ports, messages, value));
}
