/** Scheduled messages: written for a time, listed, moved and cancelled; and the delay in which any message can be stopped. */
import { channelTitle } from "../../../model/channels.ts";
import { shortText } from "../../../model/message-words.ts";
import { heldNear } from "../../../model/select.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { firstWords } from "../../../text/first-words.ts";
import { clean } from "../../../text/sanitize.ts";
import { momentWords } from "../../../text/times.ts";
import { parseWhen } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import type { MessageInput } from "../../../wire/entities/message.ts";
import { setText } from "../../editor/edits.ts";
import { isClear } from "../../screen/composer.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { withFocus } from "../../screen/transitions.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, showNotice, openPicker } from "../../screen/notices.ts";

/** How a message goes out, where not at once. */
export interface When {
  /** By the provider's clock, ms. */
  at?: number;
  /** In which it can be taken back. */
  afterMs?: number;
}

/** A time of this many words stands in front of a text at most: `tomorrow at 9 pm`. */
const TIME_WORDS = [4, 3, 2, 1];

/** `09:30 text` and `in 10 min text`: the time in front, and the text behind it; undefined where no time to come stands there. */
export function timed(ports: Ports, rest: string): { at: number; text: string } | undefined {
  const now = ports.clock.now();
  const { utc } = ports.store.get().look;
  for (const length of TIME_WORDS) {
    const found = firstWords(rest, length);
    if (!found) continue;
    try {
      const at = parseWhen(found.words, { now, direction: "future", utc });
      if (at > now) return { at, text: found.rest };
    } catch {
      // No time: fewer words may be one.
    }
  }
  return undefined;
}

/** What is said of a message that waits for its time. */
export function announceTime(ports: Ports, at: number): void {
  const { now, look } = ports.store.get();
  showNotice(ports, words.scheduled.set(momentWords(at, now, { utc: look.utc })), "success");
}

/** A message that did not go out stands in a box again, with all that it held. */
function intoBox(ports: Ports, place: ThreadRef, input: MessageInput): void {
  const { boxes, store } = ports;
  boxes.remember(boxes.at(place).editor.text);
  const text = clean(input.text ?? "");
  const { quoted_message_id: quoted } = input;
  // One that is gone would be refused again, and nothing over the box could show it.
  const isQuotable = quoted !== undefined && heldNear(store.state, place, quoted) !== undefined;
  boxes.put(setText(boxes.at(place).editor, text), place, true);
  boxes.change((composer) => {
    composer.putBack({
      text,
      ...(isQuotable && { quotedMessageId: quoted }),
      ...(input.show_in_channel && { showInChannel: true }),
      ...(input.attachments?.length && { attachments: input.attachments }),
      ...(input.mentioned_users?.length && { mentionedUsers: input.mentioned_users as string[] }),
    });
  }, place);
  if (store.screen.cid === place.cid) store.update((s) => withFocus(s, "composer"));
}

/** Where it was written. */
const placeOf = (cid: string, { parent_id: parentId }: MessageInput): ThreadRef => ({
  cid,
  ...(parentId !== undefined && { parentId }),
});

/**
 * What was refused and stands in no list, as a reply to a thread that is gone: it stands in the box again, with what hung
 * on it, and the message is over. While something else stands there it stays among the unsent.
 */
export function backToBox(ports: Ports, place: ThreadRef, id: string): void {
  showNotice(ports, words.message.refusedBack(takeBackRefused(ports, place, id)), "warning");
}

/** A refused command, or a text for a channel that is gone, is not a message to send again: it returns to the box. */
export function textBack(ports: Ports, place: ThreadRef, id: string, reason: string): void {
  takeBackRefused(ports, place, id);
  showNotice(ports, reason, "warning");
}

/** Moves a refused message into its box; false while the box has other text, and then the message stays unsent. */
function takeBackRefused(ports: Ports, place: ThreadRef, id: string): boolean {
  const box = ports.boxes.at(place);
  const isFree = isClear(box) && !box.editing;
  const input = isFree ? ports.core.unsend(id, true) : undefined;
  if (input) intoBox(ports, place, input);
  return input !== undefined;
}

function takeIn(ports: Ports, id: string, cid: string): boolean {
  const input = ports.core.unsend(id);
  if (input) intoBox(ports, placeOf(cid, input), input);
  else showNotice(ports, words.scheduled.tooLate, "warning");
  return input !== undefined;
}

/** For as long as it can be taken back. */
export function offerUnsend(ports: Ports, id: string, cid: string, ms: number): void {
  offerTakeBack(ports, words.scheduled.undo, () => void takeIn(ports, id, cid), ms);
}

/** For what stands in the box. */
export function askTime(ports: Ports, about = ""): void {
  openPicker(ports, { name: "sendAt", title: words.scheduled.when, about });
}

const waitingOnes = ({ core }: Ports): ReturnType<Ports["core"]["unsent"]> =>
  core.unsent().filter(({ send_at }) => send_at !== undefined);

/** Those that wait for their time, the next first. */
export function listScheduled(ports: Ports): void {
  const { now, look, state } = ports.store.get();
  const rows = waitingOnes(ports).toSorted((a, b) => (a.send_at! < b.send_at! ? -1 : 1));
  if (rows.length === 0) return showNotice(ports, words.scheduled.none);
  const choices = rows.map(({ id, cid, text = "", send_at, busy }): Choice => {
    const entry = state.channels.get(cid);
    return {
      label: shortText({ text } as never),
      detail: entry ? channelTitle(entry, ports.core.userId) : cid,
      mark: busy ? words.scheduled.elsewhere : momentWords(Date.parse(send_at!), now, { utc: look.utc }),
      value: id,
    };
  });
  openPicker(ports, { name: "scheduled", title: words.scheduled.title, choices });
}

/** One of the list was chosen: what is to be done with it. */
export function chosenScheduled(ports: Ports, id: string): void {
  const { edit, move, now, drop } = words.scheduled.choices;
  const choices = Object.entries({ edit, move, now, drop }).map(([value, label]) => ({
    value,
    label,
    ...(label === drop && { careful: true as const }),
  }));
  openPicker(ports, { name: "scheduledOne", title: words.scheduled.one, choices, about: id });
}

export function doScheduled(ports: Ports, id: string, what: string): void {
  const row = waitingOnes(ports).find((each) => each.id === id);
  if (!row) return showNotice(ports, words.scheduled.tooLate, "warning");
  if (row.busy) return showNotice(ports, words.scheduled.busy, "warning");
  if (what === "now") ports.core.retry(id);
  else if (what === "move") askTime(ports, id);
  else if (what === "edit") takeIn(ports, id, row.cid);
  else if (ports.core.unsend(id)) showNotice(ports, words.scheduled.dropped, "success");
}

/** The same message for another time. */
export function moveScheduled(ports: Ports, id: string, at: number): void {
  const row = waitingOnes(ports).find((each) => each.id === id);
  const input = row && ports.core.unsend(id);
  if (!row || !input) return showNotice(ports, words.scheduled.tooLate, "warning");
  const {
    text = "",
    parent_id,
    quoted_message_id,
    show_in_channel,
    attachments,
    mentioned_users,
    ...custom
  } = input;
  const place = { cid: row.cid, ...(parent_id !== undefined && { parentId: parent_id }) };
  const sent = ports.core.send(place, {
    text,
    at,
    ...(quoted_message_id !== undefined && { quotedMessageId: quoted_message_id }),
    ...(show_in_channel && { showInChannel: true }),
    ...(attachments?.length && { attachments: [...attachments] }),
    ...(mentioned_users?.length && { mentionedUsers: mentioned_users as string[] }),
    custom: { ...custom, id: undefined },
  });
  attempt(ports, sent.outcome);
  announceTime(ports, at);
}
