/** Actions on the message under the cursor. */
import { selectedRows } from "./list.ts";
import { audienceOfMessage } from "../../../model/audience.ts";
import { pictureLines } from "../../../model/pictures.ts";
import type { ClientMessage, ThreadRef } from "../../../model/state.ts";
import { fileFacts, buttonsOf } from "../../render/cards.ts";
import { pictureOpened, picturePanel } from "../../screen/picture-panel.ts";
import { mapPanel, mapAddress } from "../map/actions.ts";
import type { Ports, Action } from "../../ports/ports.ts";
import { type Panel, browsePlace } from "../../screen/screen.ts";
import { messageId, permalink } from "../../../commands/message/permalink.ts";
import { filesOf, isLinkCard, messageLinks, type MessageLink } from "../../../model/message-links.ts";
import { isBounced } from "../../../model/bounce.ts";
import { completeEmoji, emojiOf, shortcodeOf } from "../../../text/emoji.ts";
import { addressesIn } from "../../../text/permalinks.ts";
import { safeUrl } from "../../../text/safe-url.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { setText } from "../../editor/edits.ts";
import { numbered } from "../../keys/numbered.ts";
import {
  preferredEmoji,
  preferredFirst,
  recordEmojiUse,
  toggleFavouriteEmoji,
  type PreferredEmoji,
} from "../../screen/emoji-use.ts";
import { placeKey } from "../../screen/place-key.ts";
import { isEmptyBox } from "../../screen/composer.ts";
import { showAbout } from "../about/about.ts";
import { reveal, translate } from "./display-options.ts";
import { reportMessage } from "../moderation/report.ts";
import { openAuthorMenu } from "../moderation/person-menu.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Choice, PickerInput } from "../../screen/popup.ts";
import { mayEdit, mayOpenThread } from "../../../model/permissions.ts";
import { hasPosition } from "../../../wire/entities/location.ts";
import { coordinates } from "../../render/location.ts";
import { saveMessageFiles } from "../files/save-files.ts";
import { vote } from "../poll/card.ts";
import { openPanel, openThread as showThread } from "../../navigation/open-channel.ts";
import { messagePanel } from "./full-message.ts";
import {
  ifAllowed,
  withMessage,
  withMessageIfAllowed,
  type MessageAction,
  type MessagePorts,
} from "./with-message.ts";
import { askForwardTarget } from "./forward.ts";
import { goToQuoted, jumpBack, jumpTo } from "./jump.ts";
import { goToDay, fillGap, jumpToFirstUnread } from "./navigation.ts";
import { setPin } from "./pin.ts";
import { playSound } from "./play.ts";
import { toggleReaction, typeLike } from "./react.ts";
import { dropUnsentMessage, removeForGood, removeForMe, removeForAll } from "./remove.ts";
import { messageIn, targetChannel, selectedIn } from "../../screen/selectors.ts";
import { openAddress } from "../../ports/open-address.ts";
import { attempt, openPicker, showNotice } from "../../screen/notices.ts";

function panelForMessage(ports: Pick<Ports, "pictures" | "store">, message: ClientMessage): Panel {
  const { pictures, store } = ports;
  const { cid } = message;
  const map = mapPanel(store, message);
  if (map) return map;
  const [line] = pictures.draws ? pictureLines(message, fileFacts) : [];
  if (!line || message.type === "deleted") return messagePanel(message);
  pictureOpened(ports, line.picture);
  return picturePanel(cid, line);
}

export const openThreadOf: MessageAction = (ports, message) => {
  const { cid, parent_id, id } = message;
  const open = (): void => void showThread(ports, { cid, parentId: parent_id ?? id });
  if (mayOpenThread(ports.store.state, message)) open();
  else ifAllowed("send-reply", open)(ports, message);
};

function openThread(ports: MessagePorts): void {
  if (fillGap(ports)) return;
  const inThread = browsePlace(ports.store.screen)?.parentId !== undefined;
  const focusComposer: MessageAction = ({ store }) => store.update((s) => withFocus(s, "composer"));
  withMessage(inThread ? ifAllowed("send-reply", focusComposer) : openThreadOf)(ports);
}

/** Enter: goes to the quoted message, else opens the thread. */
function openMessage(ports: MessagePorts): void {
  const message = selectedIn(ports.store.get());
  if (!message || !goToQuoted(ports, message)) openThread(ports);
}

/** `r`: sends a failed message again, and answers any other in its thread. */
const reply = (ports: MessagePorts): void => {
  const message = selectedIn(ports.store.get());
  if (message?.status !== "failed") return openThread(ports);
  ports.core.retry(message.id);
  ports.store.update((s) => s);
};

const quote = withMessageIfAllowed("quote-message", (ports, message) => {
  ports.store.update((s) => withFocus(s, "composer"));
  ports.boxes.quote(message);
});

/** Edits a sent message; one that failed or bounced goes back into the composer. */
export const editMessage: MessageAction = (ports, message) => {
  if (message.status === "failed" || isBounced(message)) return putBackInBox(ports, message);
  if (!mayEdit(ports.store.state, message, ports.core.userId))
    return showNotice(ports, words.acting.notYours, "warning");
  ports.store.update((s) => withFocus(s, "composer"));
  ports.boxes.edit(message);
};

/** Shows the box that a message was written in, which is another one beside a thread, or for a reply that the channel shows. */
function showBoxOf(ports: MessagePorts, { cid, parent_id: parentId }: ClientMessage): ThreadRef {
  const place = { cid, ...(parentId !== undefined && { parentId }) };
  const { boxes, store } = ports;
  if (boxes.place && placeKey(boxes.place) === placeKey(place)) return place;
  if (parentId !== undefined) void showThread(ports, { cid, parentId });
  else {
    store.update((s) => ({ ...s, panels: s.panels.filter((panel) => !panel.place) }));
    boxes.open(place);
  }
  return place;
}

/** Puts an unsent message into its composer, for the people whom it was for (R-SEND-16), and removes it from the list. */
function putBackInBox(ports: MessagePorts, message: ClientMessage): void {
  const { boxes, core, store } = ports;
  const place = showBoxOf(ports, message);
  if (!isEmptyBox(boxes.at(place))) return showNotice(ports, words.bounce.boxFull, "warning");
  boxes.setEditor(setText(boxes.at(place).editor, message.text), place, true);
  const { text, attachments, mentioned_users, quoted_message_id: quoted } = message;
  const people = audienceOfMessage(message);
  const content = {
    text,
    attachments,
    mentionedUsers: mentioned_users.map(({ id }) => id),
    ...(quoted !== undefined && { quotedMessageId: quoted }),
    ...(message.show_in_channel && { showInChannel: true }),
    ...(people.length > 0 && { onlyFor: people }),
  };
  boxes.change((composer) => composer.putBack(content), place);
  core.drop(message.id);
  store.update((s) => withFocus(s, "composer"));
}

const REACTIONS = [
  "+1",
  "heart",
  "joy",
  "tada",
  "eyes",
  "rocket",
  "thinking_face",
  "white_check_mark",
  "wave",
  "-1",
];

/** The names of the emoji that match; without a query the preferred and usual ones. */
function emojiFor(query: string, preferred: PreferredEmoji): string[] {
  if (query === "") return [...new Set([...preferredFirst(preferred), ...REACTIONS])];
  return [...[shortcodeOf(query) ?? []].flat(), ...completeEmoji(query, 30).map(({ name }) => name)];
}

const react = withMessageIfAllowed("send-reaction", (ports, { id }) => {
  const { core } = ports;
  const give = (name: string): void =>
    withCurrent(ports, id, (message) => {
      recordEmojiUse(core, name);
      toggleReaction(ports, message, typeLike(message, name));
    });
  const choices = ({ query }: PickerInput): Choice[] => {
    const preferred = preferredEmoji(core);
    return emojiFor(query, preferred).flatMap((name) => {
      const emoji = emojiOf(name);
      if (emoji === undefined) return [];
      return {
        label: `${emoji}  ${name}`,
        choose: () => give(name),
        favourite: () => toggleFavouriteEmoji(core, name),
        ...(preferred.favourites.includes(name) && { mark: words.popups.favourite }),
      };
    });
  };
  openPicker(ports, { title: "React", choices, favourites: true, clear: selectedRows(ports) });
});

/** Runs with the message as it is now; shows a notice if it is gone. */
function withCurrent(
  ports: Pick<Ports, "core" | "store">,
  id: string,
  act: (message: ClientMessage) => void,
): void {
  const place = browsePlace(ports.store.screen);
  const message = place && messageIn(ports.store.state, place, id);
  if (message) act(message);
  else showNotice(ports, words.acting.notThere, "warning");
}

const reactFirst = withMessageIfAllowed("send-reaction", (ports, message) => {
  const first = Object.entries(message.reaction_groups)
    .toSorted(([, a], [, b]) => (a.first_reaction_at < b.first_reaction_at ? -1 : 1))
    .at(0)?.[0];
  if (first === undefined) return showNotice(ports, words.acting.noReaction);
  toggleReaction(ports, message, first);
});

/** Presses a button of a preview by its number; the provider's answer replaces the preview (specification/messages.md §5.1). */
export function pressButton(ports: Pick<Ports, "core">, message: ClientMessage, number: number): void {
  const button = buttonsOf(message)[number - 1];
  if (!button) return showNotice(ports, words.acting.noButton(number));
  attempt(ports, ports.core.act(message, button));
}

/** A digit presses that button of the message under the cursor, else votes for that option of its poll. */
const chooseNumbered =
  (number: number) =>
  (ports: MessagePorts): void => {
    const message = selectedIn(ports.store.get());
    if (message && buttonsOf(message).length > 0 && !message.poll) pressButton(ports, message, number);
    else withMessage(voteFor(number))(ports);
  };

/** Votes for the option with this number, or removes the user's vote for it; the new counts arrive with the event. */
export const voteFor = (number: number): MessageAction =>
  ifAllowed("cast-poll-vote", (ports, message) => {
    const { poll } = message;
    if (!poll) return showNotice(ports, words.acting.noPoll);
    if (poll.is_closed) return showNotice(ports, words.acting.pollClosed);
    const option = poll.options[number - 1];
    if (!option) return showNotice(ports, words.acting.noOption(number));
    vote(ports, { ...message, poll }, option.id);
  });

export function copyText(ports: Pick<Ports, "core" | "terminal">, text: string): void {
  if (ports.terminal.copy(text)) showNotice(ports, words.notices.copied, "success");
  else showNotice(ports, words.acting.tooLong, "warning");
}

/** The text, and the coordinates of a shared location. */
export const textToCopy = ({ text, shared_location: location }: ClientMessage): string =>
  [text, location && hasPosition(location) ? coordinates(location) : ""].filter(Boolean).join("\n");

const copy = withMessage((ports, message) => copyText(ports, textToCopy(message)));
const copyLink = withMessage((ports, message) => copyText(ports, permalink(message)));
const copyId = withMessage((ports, message) => copyText(ports, message.id));

/** What of a message can be opened. */
interface Openable {
  label: string;
  detail?: string;
  address: string;
}

/** A link by its title, a file with its type and size. */
function linkOf({ url, attachment }: MessageLink): Openable {
  if (!attachment) return { label: cleanLine(url), address: url };
  const detail = isLinkCard(attachment) ? url : fileFacts(attachment);
  return { label: cleanLine(attachment.title || url), detail: cleanLine(detail), address: url };
}

const openables = new WeakMap<ClientMessage, readonly Openable[]>();

/** All links, files and locations of a message that can be opened; cached, because every repaint needs it. */
export function openablesOf(message: ClientMessage): readonly Openable[] {
  const cached = openables.get(message);
  if (cached) return cached;
  const { shared_location: location } = message;
  const found = [
    ...addressesIn(message.text).map((address) => ({
      label: address,
      detail: words.message.address,
      address,
    })),
    ...messageLinks(message).map(linkOf),
    ...(location && hasPosition(location)
      ? [{ label: words.map.browser, address: mapAddress(location) }]
      : []),
  ];
  openables.set(message, found);
  return found;
}

const openLink = withMessage((ports, message) => {
  const [first, ...more] = openablesOf(message);
  if (!first) return showNotice(ports, words.files.nothingToOpen);
  if (more.length === 0) return followAddress(ports, message, first.address);
  const choices = [first, ...more].map(({ address, ...choice }) => ({
    ...choice,
    choose: () => withCurrent(ports, message.id, (current) => followAddress(ports, current, address)),
  }));
  openPicker(ports, { title: "Open", choices });
});

/** Opens an address outside the screen; the address of a message is jumped to instead. */
export function followAddress(ports: MessagePorts, message: ClientMessage, address: string): void {
  if (messageId(address) !== address) return jumpTo(ports, address);
  const url = safeUrl(address)?.href;
  openAddress(ports, address, filesOf(message).find((file) => file.url === url)?.name);
}

const saveFile: Action = (ports) => {
  const message = selectedIn(ports.store.get());
  if (message) saveMessageFiles(ports, filesOf(message));
  else showNotice(ports, words.acting.chooseFirst);
};

const pin = withMessageIfAllowed("pin-message", (ports, message) =>
  setPin(message.pinned !== true)(ports, message),
);

/** Marks the message and all after it unread. */
export const markUnreadFrom: MessageAction = ifAllowed("read-events", (ports, message) => {
  if (message.parent_id !== undefined && !message.show_in_channel)
    return showNotice(ports, words.acting.onlyChannel);
  const done = (): void => showNotice(ports, words.acting.keptUnread, "success");
  attempt(ports, ports.core.markUnread(message.cid, message.id).then(done));
});

const forward = withMessageIfAllowed(undefined, (ports, message) => askForwardTarget(ports, [message]));

export const showText: MessageAction = (ports, message) => openPanel(ports, messagePanel(message));

export const showFull: MessageAction = (ports, message) => openPanel(ports, panelForMessage(ports, message));

function markRead(ports: Pick<Ports, "core" | "store">): void {
  const entry = targetChannel(ports.store.get());
  if (entry) attempt(ports, ports.core.markRead(entry.cid));
}

export const messageActions = {
  dayBefore: goToDay(-1),
  dayAfter: goToDay(1),
  firstUnread: jumpToFirstUnread,
  markRead,
  reply,
  quote,
  openMessage,
  thread: openThread,
  edit: withMessage(editMessage),
  about: withMessage(showAbout),
  reveal: withMessage(reveal),
  translate: withMessage(translate),
  flag: withMessageIfAllowed("flag-message", reportMessage),
  person: withMessage(openAuthorMenu),
  remove: withMessage(removeForAll),
  removeForMe: withMessage(removeForMe),
  removeForGood: withMessage(removeForGood),
  drop: withMessage(dropUnsentMessage),
  react,
  reactFirst,
  ...numbered("vote", chooseNumbered),
  copy,
  copyLink,
  copyId,
  forward,
  openLink,
  playSound,
  saveFile,
  full: withMessage(showFull),
  pin,
  markUnread: withMessage(markUnreadFrom),
  jumpBack,
} satisfies Record<string, Action>;
