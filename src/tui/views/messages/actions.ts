/** Actions on the message under the cursor. */
import { messageId, permalink } from "../../../commands/message/permalink.ts";
import { filesOf, isLinkCard, messageLinks, type MessageLink } from "../../../model/message-links.ts";
import { isBounced } from "../../../model/bounce.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { addressesIn } from "../../../text/permalinks.ts";
import { safeUrl } from "../../../text/safe-url.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { setText } from "../../editor/edits.ts";
import { numbered } from "../../keys/numbered.ts";
import { likedEmoji } from "../../screen/emoji-use.ts";
import { isClear } from "../../screen/composer.ts";
import { showAbout } from "../about/about.ts";
import { reveal, translate } from "./showing.ts";
import { flagIt } from "../moderation/flagging.ts";
import { askAbout } from "../moderation/people.ts";
import { focused } from "../../screen/moves.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { mayEdit, mayOpenThread } from "../../../model/permissions.ts";
import { hasPosition } from "../../../wire/entities/location.ts";
import { coordinates } from "../../render/location.ts";
import { mapAddress } from "../map/actions.ts";
import { buttonsOf, fileFacts } from "../../render/cards.ts";
import { saveOf } from "../files/saving.ts";
import { vote } from "../poll/card.ts";
import { openPanel } from "../../navigation/opening.ts";
import { ifAllowed, withMessage, withMessageIfAllowed, type Act, type Acting } from "./acting.ts";
import { askWhereTo } from "./forwarding.ts";
import { fullOf } from "./full.ts";
import { goToQuoted, jumpBack, jumpTo } from "./going.ts";
import { day, end, fillGap, jumpToFirstUnread } from "./moving.ts";
import { setPin } from "./pinning.ts";
import { toggleReaction } from "./reacting.ts";
import { dropIt, removeForGood, removeForMe, removeIt } from "./removing.ts";
import { targetChannel, selectedIn } from "../../screen/selectors.ts";
import { openAddress } from "../../ports/open-address.ts";
import { tell, attempt, openPicker } from "../../screen/telling.ts";
import { browsePlace } from "../../screen/screen.ts";

export const openThreadOf: Act = (ports, message) => {
  const open: Act = (u, { cid, parent_id, id }) =>
    openPanel(u, { kind: "thread", cid, parentId: parent_id ?? id });
  const allowed = mayOpenThread(ports.store.state, message);
  (allowed ? open : ifAllowed("send-reply", open))(ports, message);
};

function openThread(ports: Acting): void {
  if (fillGap(ports)) return;
  const inThread = browsePlace(ports.store.screen)?.parentId !== undefined;
  const answer: Act = ({ store }) => store.now((s) => focused(s, "composer"));
  withMessage(inThread ? ifAllowed("send-reply", answer) : openThreadOf)(ports);
}

/** Enter: the message that is quoted, else the thread. */
function openMessage(ports: Acting): void {
  const message = selectedIn(ports.store.get());
  if (!message || !goToQuoted(ports, message)) openThread(ports);
}

/** `r`: what failed is tried again, anything else is answered in its thread. */
const reply = (ports: Acting): void => {
  const message = selectedIn(ports.store.get());
  if (message?.status !== "failed") return openThread(ports);
  ports.core.retry(message.id);
  ports.store.now((s) => s);
};

const quote = withMessageIfAllowed("quote-message", (ports, message) => {
  ports.store.now((s) => focused(s, "composer"));
  ports.boxes.quote(message);
});

/** A message that was not sent goes back into the box; what has been sent is edited. */
export const editIt: Act = (ports, message) => {
  if (message.status === "failed" || isBounced(message)) return takeUp(ports, message);
  if (!mayEdit(ports.store.state, message, ports.core.userId))
    return tell(ports, words.acting.notYours, "warning");
  ports.store.now((s) => focused(s, "composer"));
  ports.boxes.edit(message);
};

/** Its words and what hangs on it stand in the box again, to be written otherwise. */
function takeUp(ports: Acting, message: HeldMessage): void {
  const { boxes, core, store } = ports;
  const place = boxes.place;
  if (!place) return;
  if (!isClear(boxes.at(place))) return tell(ports, words.bounce.boxFull, "warning");
  boxes.put(setText(boxes.at(place).editor, message.text), place, true);
  const { text, attachments, quoted_message_id: quoted } = message;
  boxes.change(
    (composer) =>
      composer.putBack({ text, attachments, ...(quoted !== undefined && { quotedMessageId: quoted }) }),
    place,
  );
  core.drop(message.id);
  store.now((s) => focused(s, "composer"));
}

const react = withMessageIfAllowed("send-reaction", (ports, message) =>
  openPicker(ports, { name: "react", title: "React", about: message.id, liked: likedEmoji(ports.core) }),
);

const reactFirst = withMessageIfAllowed("send-reaction", (ports, message) => {
  const first = Object.entries(message.reaction_groups)
    .toSorted(([, a], [, b]) => (a.first_reaction_at < b.first_reaction_at ? -1 : 1))
    .at(0)?.[0];
  if (first === undefined) return tell(ports, words.acting.noReaction);
  toggleReaction(ports, message, first);
});

/** The buttons of a preview are pressed by their numbers; what the provider answers stands in its place (specification/messages.md §5.1). */
export function pressButton(ports: Pick<Ports, "core">, message: HeldMessage, number: number): void {
  const button = buttonsOf(message)[number - 1];
  if (!button) return tell(ports, words.acting.noButton(number));
  attempt(ports, ports.core.act(message, button));
}

/** A number means the button of the message under the cursor, else the option of its poll. */
const choose =
  (number: number) =>
  (ports: Acting): void => {
    const message = selectedIn(ports.store.get());
    if (message && buttonsOf(message).length > 0 && !message.poll) pressButton(ports, message, number);
    else withMessage(voteFor(number))(ports);
  };

/** Votes for the option with this number, or takes the own vote for it back; the event brings the new counts. */
export const voteFor = (number: number): Act =>
  ifAllowed("cast-poll-vote", (ports, message) => {
    const { poll } = message;
    if (!poll) return tell(ports, words.acting.noPoll);
    if (poll.is_closed) return tell(ports, words.acting.pollClosed);
    const option = poll.options[number - 1];
    if (!option) return tell(ports, words.acting.noOption(number));
    vote(ports, { ...message, poll }, option.id);
  });

export function copyText(ports: Pick<Ports, "core" | "terminal">, text: string): void {
  if (ports.terminal.copy(text)) tell(ports, words.notices.copied, "success");
  else tell(ports, words.acting.tooLong, "warning");
}

/** Its text, and of a location its coordinates. */
export const copiedText = ({ text, shared_location: at }: HeldMessage): string =>
  [text, at && hasPosition(at) ? coordinates(at) : ""].filter(Boolean).join("\n");

const copy = withMessage((ports, message) => copyText(ports, copiedText(message)));
const copyLink = withMessage((ports, message) => copyText(ports, permalink(message)));
const copyId = withMessage((ports, message) => copyText(ports, message.id));

/** What it is called, and in the list of several what else is known of it. */
function choiceOf({ url, attachment }: MessageLink): Choice {
  if (!attachment) return { label: cleanLine(url), value: url };
  const detail = isLinkCard(attachment) ? url : fileFacts(attachment);
  return { label: cleanLine(attachment.title || url), detail: cleanLine(detail), value: url };
}

/** Where the browser shows the place of a location. */
const mapChoice = ({ shared_location: at }: HeldMessage): Choice[] =>
  at && hasPosition(at) ? [{ label: words.map.browser, value: mapAddress(at) }] : [];

/** All of it that can be opened; the same list for one message, which is asked for with every picture. */
export function pointedIn(message: HeldMessage): readonly Choice[] {
  const known = pointed.get(message);
  if (known) return known;
  const address = (value: string): Choice => ({ label: value, detail: words.message.address, value });
  const found = [
    ...addressesIn(message.text).map(address),
    ...messageLinks(message).map(choiceOf),
    ...mapChoice(message),
  ];
  pointed.set(message, found);
  return found;
}
const pointed = new WeakMap<HeldMessage, readonly Choice[]>();

const openLink = withMessage((ports, message) => {
  const choices = pointedIn(message);
  const [first, ...more] = choices;
  if (!first) return tell(ports, words.files.nothingToOpen);
  if (more.length === 0) return openPointed(ports, message, first.value);
  openPicker(ports, { name: "links", title: "Open", choices, about: message.id });
});

/** An address in a message: outside, or the message that it is the address of. */
export function openPointed(ports: Acting, message: HeldMessage, address: string): void {
  if (messageId(address) !== address) return jumpTo(ports, address);
  const url = safeUrl(address)?.href;
  openAddress(ports, address, filesOf(message).find((file) => file.url === url)?.name);
}

const saveFile: Action = (ports) => {
  const message = selectedIn(ports.store.get());
  if (message) saveOf(ports, filesOf(message));
  else tell(ports, words.acting.chooseFirst);
};

const pin = withMessageIfAllowed("pin-message", (ports, message) =>
  setPin(message.pinned !== true)(ports, message),
);

/** The message and all after it are unread again. */
export const keepUnread: Act = ifAllowed("read-events", (ports, message) => {
  if (message.parent_id !== undefined && !message.show_in_channel)
    return tell(ports, words.acting.onlyChannel);
  attempt(
    ports,
    ports.core
      .markUnread(message.cid, message.id)
      .then(() => tell(ports, words.acting.keptUnread, "success")),
  );
});

const forward = withMessageIfAllowed(undefined, (ports, message) => askWhereTo(ports, [message]));

export const showText: Act = (ports, message) =>
  openPanel(ports, { kind: "message", cid: message.cid, message });

export const showFull: Act = (ports, message) => openPanel(ports, fullOf(ports, message));

function markRead(ports: Pick<Ports, "core" | "store">): void {
  const entry = targetChannel(ports.store.get());
  if (entry) attempt(ports, ports.core.markRead(entry.cid));
}

const jump = (ports: Pick<Ports, "store">): void =>
  openPicker(ports, { name: "date", title: words.acting.jump });

export const messageActions = {
  browseFirst: end("first"),
  browseLast: end("last"),
  dayBefore: day(-1),
  dayAfter: day(1),
  firstUnread: jumpToFirstUnread,
  markRead,
  reply,
  quote,
  openMessage,
  thread: openThread,
  edit: withMessage(editIt),
  about: withMessage(showAbout),
  reveal: withMessage(reveal),
  translate: withMessage(translate),
  flag: withMessageIfAllowed("flag-message", flagIt),
  person: withMessage(askAbout),
  remove: withMessage(removeIt),
  removeForMe: withMessage(removeForMe),
  removeForGood: withMessage(removeForGood),
  drop: withMessage(dropIt),
  react,
  reactFirst,
  ...numbered("vote", choose),
  copy,
  copyLink,
  copyId,
  forward,
  openLink,
  saveFile,
  full: withMessage(showFull),
  pin,
  markUnread: withMessage(keepUnread),
  jump,
  jumpBack,
} satisfies Record<string, Action>;
