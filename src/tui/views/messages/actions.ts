/** What can be done with the message under the browse cursor. */
import type { HeldMessage } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { findLinks } from "../../../text/link.ts";
import { safeUrl } from "../../../text/safe-url.ts";
import { words } from "../../../text/words.ts";
import type { Capability } from "../../../wire/capabilities.ts";
import { userName } from "../../../model/channels.ts";
import { beginEdit, quoting } from "../../screen/composer.ts";
import { focused, popupPushed } from "../../screen/moves.ts";
import type { Ui } from "../../ui.ts";
import { can, mayEdit, mayRemove } from "./allowed.ts";
import { isPresent } from "../../../model/message-state.ts";
import { buttonsOf } from "../../render/cards.ts";
import { openPanel } from "../../navigation/opening.ts";
import { fillGap } from "./moving.ts";

type Act = (ui: Ui, message: HeldMessage) => void;

/** Runs with the message under the cursor; says so when there is none. */
const withMessage =
  (act: Act) =>
  (ui: Ui): void => {
    const message = ui.selected();
    if (message) act(ui, message);
    else ui.tell("Choose a message first: Esc, then j and k.");
  };

/** The same for what only a message that reached the provider can have, with the capability it needs. */
const withThere = (capability: Capability | undefined, act: Act) =>
  withMessage((ui, message) => {
    if (!isPresent(message)) return ui.tell("That message is not there to act on.", "warning");
    if (capability && !can(ui, message.cid, capability))
      return ui.tell(`This channel does not allow that (${capability}).`, "warning");
    act(ui, message);
  });

export function openThread(ui: Ui): void {
  if (fillGap(ui)) return;
  withThere("send-reply", (u, message) => {
    const inThread = u.browsing()?.parentId !== undefined;
    if (inThread) return u.change((s) => focused(s, "composer"));
    openPanel(u, { kind: "thread", cid: message.cid, parentId: message.parent_id ?? message.id });
  })(ui);
}

/** `r`: what failed is tried again, anything else is answered in its thread. */
export const reply = (ui: Ui): void => {
  const message = ui.selected();
  if (message?.status !== "failed") return openThread(ui);
  ui.core.retry(message.id);
  ui.change((s) => s);
};

export const drop = withMessage((ui, message) => {
  if (message.status !== "failed" && message.status !== "sending")
    return ui.tell("Only a message that was not sent can be dropped; d deletes.");
  ui.ask({ level: "mild", question: `Drop “${short(message)}”? It was not sent.` }, () => {
    ui.keepHistory(message.text);
    ui.core.drop(message.id);
  });
});

function short(message: HeldMessage): string {
  const text = cleanLine(message.text);
  return text.length > 40 ? `${text.slice(0, 39).toWellFormed()}…` : text || "a message without text";
}

export const quote = withThere("quote-message", (ui, message) => {
  ui.change((s) => focused(s, "composer"));
  ui.compose(quoting(ui.composer(), message), undefined, true);
});

export const editIt = withMessage((ui, message) => {
  if (!mayEdit(ui, message)) return ui.tell("That message is not yours to edit.", "warning");
  ui.change((s) => focused(s, "composer"));
  ui.compose(beginEdit(ui.composer(), message), undefined, true);
});

export const removeIt = withMessage((ui, message) => {
  if (message.status === "failed") return drop(ui);
  if (!mayRemove(ui, message)) return ui.tell("That message is not yours to delete.", "warning");
  ui.ask({ level: "moderate", question: `Delete “${short(message)}” for everybody?` }, () =>
    ui.try(ui.core.remove(message)),
  );
});

export const react = withThere("send-reaction", (ui, message) =>
  ui.change((s) =>
    popupPushed(s, {
      kind: "picker",
      name: "react",
      title: "React",
      query: "",
      selected: 0,
      about: message.id,
    }),
  ),
);

export function toggleReaction(ui: Ui, message: HeldMessage, type: string): void {
  const mine = message.own_reactions.some((r) => r.type === type);
  ui.try(mine ? ui.core.unreact(message, type) : ui.core.react(message, type));
}

export const reactFirst = withThere("send-reaction", (ui, message) => {
  const first = Object.entries(message.reaction_groups)
    .toSorted(([, a], [, b]) => (a.first_reaction_at < b.first_reaction_at ? -1 : 1))
    .at(0)?.[0];
  if (first === undefined) return ui.tell("Nobody has reacted yet: + chooses an emoji.");
  toggleReaction(ui, message, first);
});

/** The buttons of a preview are pressed by their numbers; what the provider answers stands in its place (specification/messages.md §5.1). */
function press(ui: Ui, message: HeldMessage, number: number): void {
  const button = buttonsOf(message)[number - 1];
  if (!button) return ui.tell(`The message has no button ${number}.`);
  ui.try(ui.core.act(message, button));
}

/** A number means the button of the message under the cursor, else the option of its poll. */
export const choose =
  (number: number) =>
  (ui: Ui): void => {
    const message = ui.selected();
    if (message && buttonsOf(message).length > 0 && !message.poll) press(ui, message, number);
    else vote(number)(ui);
  };

/** Votes for the option with this number, or takes the own vote for it back; the event brings the new counts. */
const vote = (number: number): ((ui: Ui) => void) =>
  withThere("cast-poll-vote", (ui, message) => {
    const { poll } = message;
    if (!poll) return ui.tell("That message holds no poll.");
    if (poll.is_closed) return ui.tell("The poll is closed.");
    const option = poll.options[number - 1];
    if (!option) return ui.tell(`The poll has no option ${number}.`);
    const path = { message_id: message.id, poll_id: poll.id };
    const mine = poll.own_votes.find((cast) => cast.option_id === option.id);
    ui.try(
      mine
        ? ui.core.call("removePollVote", { path: { ...path, vote_id: mine.id } })
        : ui.core.call("castPollVote", { path, body: { vote: { option_id: option.id } } }),
    );
  });

function copyText(ui: Ui, text: string): void {
  if (ui.ports.copy(text)) ui.tell(words.notices.copied, "success");
  else ui.tell("Too long for the terminal's clipboard.", "warning");
}

export const copy = withMessage((ui, message) => copyText(ui, message.text));
export const copyId = withMessage((ui, message) => copyText(ui, message.id));

/** The safe addresses of a message, each once: its text's, then its attachments'. */
export function linksOf(message: HeldMessage): string[] {
  const found = findLinks(cleanLine(message.text)).map((link) => link.url);
  for (const a of message.attachments)
    for (const url of [a.og_scrape_url, a.title_link, a.asset_url, a.image_url])
      if (typeof url === "string") found.push(url);
  return [...new Set(found.flatMap((url) => safeUrl(url)?.href ?? []))];
}

export const openLink = withMessage((ui, message) => {
  const links = linksOf(message);
  if (!links.length) return ui.tell("There is no link in that message.");
  if (links.length === 1) return openAddress(ui, links[0]!);
  const choices = links.map((url) => ({ label: cleanLine(url), value: url }));
  ui.change((s) =>
    popupPushed(s, { kind: "picker", name: "links", title: "Open", query: "", selected: 0, choices }),
  );
});

export function openAddress(ui: Ui, url: string): void {
  const safe = safeUrl(url);
  if (safe) ui.try(ui.ports.openUrl(safe.href));
}

export const pin = withThere("pin-message", (ui, message) => {
  const pinned = message.pinned !== true;
  ui.try(
    ui.core.pin(message, pinned).then(() => ui.tell(pinned ? words.message.pinned : "unpinned", "success")),
  );
});

export const markUnread = withThere("read-events", (ui, message) => {
  if (message.parent_id !== undefined && !message.show_in_channel)
    return ui.tell("Only messages of the channel itself can be marked unread.");
  ui.try(ui.core.markUnread(message.cid, message.id).then(() => ui.tell("kept unread from here", "success")));
});

export const full = withMessage((ui, message) =>
  openPanel(ui, { kind: "message", cid: message.cid, message }),
);

export function markRead(ui: Ui): void {
  const { cid } = ui.screen;
  if (cid !== undefined) ui.try(ui.core.markRead(cid));
}

export const jump = (ui: Ui): void =>
  ui.change((s) =>
    popupPushed(s, {
      kind: "picker",
      name: "date",
      title: "Jump to a date or a message id",
      query: "",
      selected: 0,
    }),
  );

/** What the menu is about, for its title. */
export function menuTitle(ui: Ui): string | undefined {
  const message = ui.selected();
  return message ? `${userName(message.user)}: ${short(message)}` : undefined;
}
