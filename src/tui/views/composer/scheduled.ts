/** Schedules messages, lists, moves and cancels them; and returns unsent messages to the composer. */
import { parseFutureTime, timeChoices } from "../lists/reminders.ts";
import { channelTitle } from "../../../model/channels.ts";
import { shortText } from "../../../model/message-words.ts";
import { heldNear } from "../../../model/select.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { firstWords } from "../../../text/first-words.ts";
import { clean } from "../../../text/sanitize.ts";
import { momentWords } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import type { MessageInput } from "../../../wire/bodies/messages.ts";
import { setText } from "../../editor/edits.ts";
import { isEmptyBox } from "../../screen/composer.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { withFocus } from "../../screen/transitions.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, openPicker, showNotice } from "../../screen/notices.ts";

/** When a message is sent, if not at once, and whether it is announced. */
export interface SendTiming {
  /** It notifies nobody and makes nothing unread. */
  silent?: true;
  /** By the provider's clock, ms. */
  at?: number;
  /** Delay during which it can be undone. */
  afterMs?: number;
}

/** Word counts tried for a time before a text, the longest first: `tomorrow at 9 pm`. */
const TIME_LENGTHS = [4, 3, 2, 1];

/** Splits `09:30 text` and `in 10 min text`; undefined without a future time at the start, and a sentence for one that clocks skip. */
export function splitTime(ports: Ports, rest: string): { at: number; text: string } | string | undefined {
  const now = ports.clock.now();
  const { utc } = ports.store.get().look;
  for (const length of TIME_LENGTHS) {
    const found = firstWords(rest, length);
    if (!found) continue;
    // Not a time: try fewer words.
    const at = parseFutureTime(found.words, now, utc);
    if (typeof at === "number") return { at, text: found.rest };
    if (at !== undefined) return at;
  }
  return undefined;
}

/** Tells when a scheduled message will be sent. */
export function announceTime(ports: Ports, at: number): void {
  const { now, look } = ports.store.get();
  showNotice(ports, words.scheduled.set(momentWords(at, now, { utc: look.utc })), "success");
}

/** Puts an unsent message into a composer, with attachments and quote. */
function fillComposer(ports: Ports, place: ThreadRef, input: MessageInput): void {
  const { boxes, store } = ports;
  boxes.remember(boxes.at(place).editor.text);
  const text = clean(input.text ?? "");
  const { quoted_message_id: quoted } = input;
  // A deleted quote would be refused again, and the banner could not show it.
  const isQuotable = quoted !== undefined && heldNear(store.state, place, quoted) !== undefined;
  boxes.setEditor(setText(boxes.at(place).editor, text), place, true);
  boxes.change((composer) => {
    composer.putBack({
      text,
      ...(isQuotable && { quotedMessageId: quoted }),
      ...(input.show_in_channel && { showInChannel: true }),
      ...(input.attachments?.length && { attachments: input.attachments }),
      ...(input.mentioned_users?.length && { mentionedUsers: input.mentioned_users as string[] }),
      ...(input.restricted_visibility?.length && { onlyFor: input.restricted_visibility }),
    });
  }, place);
  if (store.screen.cid === place.cid) store.update((s) => withFocus(s, "composer"));
}

const placeOf = (cid: string, { parent_id: parentId }: MessageInput): ThreadRef => ({
  cid,
  ...(parentId !== undefined && { parentId }),
});

/**
 * Returns a refused message that no list shows, such as a reply to a deleted thread, to the composer. If that is not empty,
 * the message stays among the unsent ones.
 */
export function returnToComposer(ports: Ports, place: ThreadRef, id: string): void {
  showNotice(ports, words.message.refusedBack(takeBackRefused(ports, place, id)), "warning");
}

/** Returns a refused command, or a text for a channel that is gone, to the composer: sending it again cannot succeed. */
export function returnText(ports: Ports, place: ThreadRef, id: string, reason: string): void {
  takeBackRefused(ports, place, id);
  showNotice(ports, reason, "warning");
}

/** Moves a refused message into its composer; false while that has other text, and then the message stays unsent. */
function takeBackRefused(ports: Ports, place: ThreadRef, id: string): boolean {
  const box = ports.boxes.at(place);
  const isFree = isEmptyBox(box) && !box.editing;
  const input = isFree ? ports.core.unsend(id, true) : undefined;
  if (input) fillComposer(ports, place, input);
  return input !== undefined;
}

function unsendIntoComposer(ports: Ports, id: string, cid: string): boolean {
  const input = ports.core.unsend(id);
  if (input) fillComposer(ports, placeOf(cid, input), input);
  else showNotice(ports, words.scheduled.tooLate, "warning");
  return input !== undefined;
}

/** Offers to undo a send during its delay. */
export function offerUnsend(ports: Ports, id: string, cid: string, ms: number): void {
  offerTakeBack(ports, words.scheduled.undo, () => void unsendIntoComposer(ports, id, cid), ms);
}

/** Asks for a time; a message cannot be sent in the past or at no time. */
export function askTime(ports: Pick<Ports, "store">, use: (at: number) => void): void {
  openPicker(ports, {
    title: words.scheduled.when,
    hint: words.scheduled.hint,
    followsTime: true,
    choices: ({ query, now, utc }) =>
      timeChoices(query, now, utc).flatMap(({ at, ...choice }) =>
        at !== undefined && at > now ? { ...choice, choose: () => use(at) } : [],
      ),
  });
}

const scheduledRows = ({ core }: Ports): ReturnType<Ports["core"]["unsent"]> =>
  core.unsent().filter(({ send_at }) => send_at !== undefined);

/** Opens the list of scheduled messages, the next one first. */
export function listScheduled(ports: Ports): void {
  const { now, look, state } = ports.store.get();
  const rows = scheduledRows(ports).toSorted((a, b) => (a.send_at! < b.send_at! ? -1 : 1));
  if (rows.length === 0) return showNotice(ports, words.scheduled.none);
  const choices = rows.map(({ id, cid, text = "", send_at, busy }): Choice => {
    const entry = state.channels.get(cid);
    return {
      label: shortText({ text } as never),
      detail: entry ? channelTitle(entry, ports.core.userId) : cid,
      mark: busy ? words.scheduled.elsewhere : momentWords(Date.parse(send_at!), now, { utc: look.utc }),
      choose: () => openScheduledMenu(ports, id),
    };
  });
  openPicker(ports, { title: words.scheduled.title, choices });
}

/** Opens the menu of a scheduled message. */
function openScheduledMenu(ports: Ports, id: string): void {
  const { edit, move, now, drop } = words.scheduled.choices;
  const choice = (label: string, act: (cid: string) => void): Choice => ({
    label,
    choose: () => {
      const row = scheduledRows(ports).find((each) => each.id === id);
      if (!row) showNotice(ports, words.scheduled.tooLate, "warning");
      else if (row.busy) showNotice(ports, words.scheduled.busy, "warning");
      else act(row.cid);
    },
  });
  const dropIt = (): void => {
    if (ports.core.unsend(id)) showNotice(ports, words.scheduled.dropped, "success");
  };
  const choices = [
    choice(edit, (cid) => unsendIntoComposer(ports, id, cid)),
    choice(move, () => askTime(ports, (at) => moveScheduled(ports, id, at))),
    choice(now, () => ports.core.retry(id)),
    { ...choice(drop, dropIt), destructive: true as const },
  ];
  openPicker(ports, { title: words.scheduled.one, choices });
}

/** Schedules the same message for another time. */
function moveScheduled(ports: Ports, id: string, at: number): void {
  const row = scheduledRows(ports).find((each) => each.id === id);
  const input = row && ports.core.unsend(id);
  if (!row || !input) return showNotice(ports, words.scheduled.tooLate, "warning");
  const {
    text = "",
    parent_id: _parent,
    quoted_message_id,
    show_in_channel,
    attachments,
    mentioned_users,
    restricted_visibility: audience,
    ...custom
  } = input;
  const sent = ports.core.send(placeOf(row.cid, input), {
    text,
    at,
    ...(quoted_message_id !== undefined && { quotedMessageId: quoted_message_id }),
    ...(show_in_channel && { showInChannel: true }),
    ...(attachments?.length && { attachments: [...attachments] }),
    ...(mentioned_users?.length && { mentionedUsers: mentioned_users as string[] }),
    ...(audience && { audience }),
    custom: { ...custom, id: undefined },
  });
  attempt(ports, sent.outcome);
  announceTime(ports, at);
}
