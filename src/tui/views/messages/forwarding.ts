/** Forwards a message to another channel or person. */
import { cidTitle, isDirect, userName } from "../../../model/channels.ts";
import { isLinkCard } from "../../../model/message-links.ts";
import type { HeldMessage, State } from "../../../model/state.ts";
import { count, words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import { contentName } from "../../render/cards.ts";
import type { Ports } from "../../ports/ports.ts";
import { browsePlace } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import { attempt, tell, openPicker } from "../../screen/telling.ts";
import { gotoChoices } from "../../navigation/destinations.ts";

/** Asks for the channel or the person. */
export function askWhereTo(ports: Pick<Ports, "core" | "store">, messages: readonly HeldMessage[]): void {
  if (messages.length === 0) return tell(ports, words.forwarding.none);
  const { state, screen } = ports.store;
  const choices = gotoChoices(state, screen.cid).filter(({ value }) => !value.startsWith("action:"));
  const title = words.forwarding.title(count(messages.length, "message"));
  const about = messages.map(({ id }) => id).join(" ");
  openPicker(ports, { name: "forward", title, choices, about });
}

/** Cards of links in the text come by themselves; buttons belong to whom they were made for. */
function carried({ text, attachments }: HeldMessage): Attachment[] {
  const madeAgain = (a: Attachment): boolean =>
    isLinkCard(a) && [a.og_scrape_url, a.title_link].some((url) => url !== undefined && text.includes(url));
  return attachments.filter((a) => !madeAgain(a)).map((a) => ({ ...a, actions: undefined }));
}

/** `↪ ana in #general` and under it what was said. */
function forwarded(state: State, message: HeldMessage): { text: string; attachments: Attachment[] } {
  const entry = state.channels.get(message.cid);
  // Who else is in a conversation of few is not told elsewhere.
  const where = entry && !isDirect(entry) ? cidTitle(state, message.cid) : "";
  const said = message.text || (message.attachments.length > 0 ? "" : contentName(message));
  const head = words.forwarding.from(userName(message.user), where);
  return { text: said ? `${head}\n${said}` : head, attachments: carried(message) };
}

async function placeOf(ports: Ports, value: string): Promise<string> {
  const [kind, rest] = [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)];
  if (kind === "channel") return rest;
  return ports.core.openDirect([rest], ports.settings.channelType);
}

/** Rejects with why it was refused; it stands in its channel as one that failed. */
async function delivered({ outcome }: ReturnType<Ports["core"]["send"]>): Promise<void> {
  const end = await outcome;
  if (end.state === "failed") throw end.error;
}

/** To `channel:<cid>` or `user:<id>`. */
export async function forwardMessages(
  ports: Ports,
  messages: readonly HeldMessage[],
  value: string,
): Promise<void> {
  const { core, store } = ports;
  if (ports.settings.readOnly) throw new Error(words.readOnly.refused);
  const cid = await placeOf(ports, value);
  for (const message of messages)
    attempt(ports, delivered(core.send({ cid }, forwarded(store.state, message))));
  store.now((s) => s);
  tell(ports, words.forwarding.done(cidTitle(store.state, cid)), "success");
}

/** `ids` with blanks between them, of the list that has the keys. */
export function forwardTo(ports: Ports, ids: string, value: string): void {
  const { store } = ports;
  const place = browsePlace(store.screen);
  const messages = ids.split(" ").flatMap((id) => (place && messageIn(store.state, place, id)) ?? []);
  attempt(ports, forwardMessages(ports, messages, value));
}
