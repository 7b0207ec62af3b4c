/** Moves through lists of messages: cursor, scrolling, pages, days and jumps. */
import { words } from "../../../text/words.ts";
import { dayKey, dayLabel } from "../../../text/times.ts";
import { splitCid } from "../../../wire/ids.ts";
import { timeToMs } from "../../../wire/time.ts";
import { NEWER, OLDER } from "./feed/feeds.ts";
import { listOf, type ListPorts } from "./list.ts";
import { feedWindow, revealingAnchor, scrolledAnchor, nextSelectable, type Anchor } from "./feed/feed.ts";
import { withNextPane, escapePressed, withFocus, withScroll } from "../../screen/transitions.ts";
import { placeKey } from "../../screen/place-key.ts";
import { browsePlace, composerPlace, scrollOf } from "../../screen/screen.ts";
import type { MessageSet, ThreadRef } from "../../../model/state.ts";
import { halfEntered } from "../../navigation/halves.ts";
import type { NavigationPorts } from "../../navigation/open-channel.ts";
import type { Ports } from "../../ports/ports.ts";
import { shownSet } from "../../../model/select.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { messageIn, openEntry } from "../../screen/selectors.ts";

/** For moves to messages that may have to be loaded. */
type LoadingPorts = ListPorts & Pick<Ports, "core">;

/** Scrolls a list to an anchor; without one it sticks to the newest message. */
export function scrollTo(
  { store }: Pick<Ports, "store">,
  place: ThreadRef,
  anchor: Anchor | undefined,
  selected?: string,
): void {
  store.update((screen) => {
    const view = scrollOf(screen, place);
    const set = shownSet(store.state, place);
    const last = set?.messages.at(set.messages.length - 1)?.id;
    const seenId = anchor ? (view.anchor ? view.seenId : last) : undefined;
    const next = { ...view, anchor, ...(seenId === undefined ? {} : { seenId }) };
    if (selected !== undefined) next.selected = selected;
    return withScroll(screen, place, next);
  });
}

/** Esc; when it starts browsing, the cursor goes to the newest visible message. */
export function escape(ports: ListPorts & Pick<Ports, "boxes">): void {
  const place = ports.boxes.place;
  ports.store.update(escapePressed);
  // After a thread panel closed, the composer belongs to the channel again.
  if (place && ports.boxes.place?.parentId !== place.parentId) ports.boxes.open(ports.boxes.place!);
  selectMessage(ports);
}

/** While browsing some message is always selected, if the list has any. */
export function selectMessage(ports: ListPorts): void {
  const { focus } = ports.store.screen;
  const place = browsePlace(ports.store.screen);
  if (!place || (focus !== "messages" && focus !== "panel")) return;
  const view = scrollOf(ports.store.screen, place);
  const { feed, height } = listOf(ports, place);
  if (view.selected !== undefined && feed.indexOf(view.selected) >= 0) return;
  const lines = feedWindow(feed, height, view.anchor).lines;
  const last = lines.findLast((l) => feed.isSelectable(l.index));
  if (last) ports.store.update((s) => withScroll(s, place, { ...view, selected: last.id }));
}

/** Focuses the next or previous pane, and selects a message there; the cursor in the list of another half comes into sight. */
export const cyclePane =
  (by: 1 | -1) =>
  (ports: ListPorts & NavigationPorts): void => {
    const { store } = ports;
    const from = store.screen.cid;
    store.update((s) => withNextPane(s, by));
    const { cid, focus } = store.screen;
    if (cid !== undefined && cid !== from) {
      halfEntered(ports, from);
      const { selected } = scrollOf(store.screen, { cid });
      if (focus === "messages" && selected !== undefined) moveCursorTo(ports, { cid }, selected);
    }
    selectMessage(ports);
  };

/** The list that the page keys scroll; while writing, the one that the composer sends to. */
function scrollPlace(ports: ListPorts): ThreadRef | undefined {
  return ports.store.screen.focus === "composer"
    ? composerPlace(ports.store.screen)
    : browsePlace(ports.store.screen);
}

export function scroll(ports: ListPorts, by: number, place = scrollPlace(ports)): void {
  if (!place) return;
  const { feed, height } = listOf(ports, place);
  const view = scrollOf(ports.store.screen, place);
  const anchor = scrolledAnchor(feed, height, view.anchor, by);
  scrollTo(ports, place, anchor);
  if (view.selected === undefined) return;
  // Keep the cursor visible.
  const lines = feedWindow(feed, height, anchor).lines.filter((l) => feed.isSelectable(l.index));
  if (lines.some((l) => l.id === view.selected)) return;
  const edge = by < 0 ? lines.at(-1) : lines[0];
  if (edge) scrollTo(ports, place, anchor, edge.id);
}

/** `part`: ±1 scrolls a page less one row, ±0.5 half a page. */
export const movePage =
  (part: number) =>
  (ports: ListPorts): void => {
    const place = scrollPlace(ports);
    if (!place) return;
    const { height } = listOf(ports, place);
    const rows = Math.max(1, Math.abs(part) === 1 ? height - 1 : Math.floor(height / 2));
    scroll(ports, part < 0 ? -rows : rows, place);
  };

export function moveCursorTo(ports: ListPorts, place: ThreadRef, id: string): void {
  const { feed, height } = listOf(ports, place);
  const view = scrollOf(ports.store.screen, place);
  scrollTo(ports, place, revealingAnchor(feed, height, view.anchor, id), id);
}

export const moveStep =
  (by: 1 | -1) =>
  (ports: ListPorts): void => {
    const place = browsePlace(ports.store.screen);
    if (!place) return;
    const { feed } = listOf(ports, place);
    const next = nextSelectable(feed, scrollOf(ports.store.screen, place).selected, by);
    if (next !== undefined) moveCursorTo(ports, place, next);
  };

export const goToEnd =
  (which: "first" | "last") =>
  (ports: LoadingPorts): void => {
    const place = browsePlace(ports.store.screen);
    if (!place) return;
    const set = shownSet(ports.store.state, place);
    if (which === "last" && set && !set.isLatest) return goToLatest(ports, place);
    const { feed } = listOf(ports, place);
    const id = which === "first" ? nextSelectable(feed, undefined, 1) : nextSelectable(feed, undefined, -1);
    if (id === undefined) return;
    if (which === "last") return scrollTo(ports, place, undefined, id);
    moveCursorTo(ports, place, id);
    if (set?.hasPrev) goToOldest(ports, place, id);
  };

/** Looks up the first message of a channel, or the first reply of a thread, and goes there, unless the cursor has left `from` meanwhile. */
function goToOldest(ports: LoadingPorts, place: ThreadRef, from: string): void {
  const { core, store } = ports;
  const { cid, parentId } = place;
  const jumped = firstMessageSince(ports, place, 0).then((first) => {
    const shown = browsePlace(store.screen);
    const hasMoved = shown?.cid !== cid || shown.parentId !== parentId;
    if (!first || hasMoved || scrollOf(store.screen, place).selected !== from) return undefined;
    if (parentId === undefined) return jumpToMessage(ports, place, first.id);
    // The cursor stays on the parent, above the first reply.
    return core.jumpTo(place, first.id).then(() => {
      store.update((s) => s);
      moveCursorTo(ports, place, from);
    });
  });
  attempt(ports, jumped);
}

/** The first message of the channel, or reply of the thread, at or after `at`, ms. */
export async function firstMessageSince(
  { core }: Pick<LoadingPorts, "core">,
  { cid, parentId }: ThreadRef,
  at: number,
) {
  const page = { created_at_after_or_equal: new Date(at).toISOString(), limit: 1 };
  const { messages } =
    parentId === undefined
      ? await core.call("queryChannel", { path: splitCid(cid)!, body: { state: true, messages: page } })
      : await core.call("getReplies", { path: { parent_id: parentId }, query: page });
  return messages?.[0];
}

function goToLatest(ports: LoadingPorts, place: ThreadRef): void {
  const shown = ports.core.backToLatest(place).then(() => {
    ports.store.update((s) => withScroll(s, place, {}));
    selectMessage(ports);
  });
  attempt(ports, shown);
}

export const goToDay =
  (by: 1 | -1) =>
  (ports: LoadingPorts): void => {
    const place = browsePlace(ports.store.screen);
    if (!place) return;
    if (by < 0) return dayBefore(ports, place);
    const set = shownSet(ports.store.state, place);
    if (!set) return;
    const dayOf = dayByIndex(ports, set);
    let at = cursorIndex(ports, place, set);
    if (at < 0) return;
    const from = dayOf(at);
    while (at < set.messages.length - 1 && dayOf(at) === from) at++;
    moveCursorTo(ports, place, set.messages.at(at)!.id);
  };

const dayByIndex = ({ store }: Pick<Ports, "store">, { messages }: MessageSet): ((at: number) => string) => {
  const zone = { utc: store.get().look.utc };
  return (at) => dayKey(timeToMs(messages.at(at)!.created_at), zone);
};

/** The message under the cursor, else the newest; -1 where there is none. */
function cursorIndex({ store }: Pick<Ports, "store">, place: ThreadRef, { messages }: MessageSet): number {
  const { selected } = scrollOf(store.screen, place);
  const index = selected === undefined ? -1 : messages.indexOf(selected);
  return index >= 0 ? index : messages.length - 1;
}

/** Goes to the start of this day, or from there to that of the day before; loads pages until the start of `targetDay` is found. */
function dayBefore(ports: LoadingPorts, place: ThreadRef, targetDay?: string): void {
  const set = shownSet(ports.store.state, place);
  let at = set ? cursorIndex(ports, place, set) : -1;
  if (!set || at < 0) return;
  const dayOf = dayByIndex(ports, set);
  let day = targetDay;
  if (day === undefined && at > 0) {
    const startsHere = dayOf(at - 1) !== dayOf(at);
    day = dayOf(startsHere ? at - 1 : at);
  }
  while (at > 0 && dayOf(at - 1) === day) at--;
  const { id } = set.messages.at(at)!;
  // Requested before the move, so that scrolling to the edge joins this request.
  const olderPage = at === 0 && set.hasPrev ? loadOlderPage(ports, place) : undefined;
  moveCursorTo(ports, place, id);
  if (!olderPage) return;
  const moved = olderPage.then(() => {
    ports.store.update((s) => s);
    const hasNotMoved = scrollOf(ports.store.screen, place).selected === id;
    const hasOlder = shownSet(ports.store.state, place)?.messages.at(0)?.id !== id;
    if (hasNotMoved && hasOlder) dayBefore(ports, place, day);
  });
  attempt(ports, moved);
}

/** Loads the page of older messages, or waits for the one that is loading already. */
async function loadOlderPage({ core }: Pick<LoadingPorts, "core">, place: ThreadRef): Promise<void> {
  if (await core.loadOlder(place)) return;
  const isLoading = (): boolean => shownSet(core.state(), place)?.loading === "prev";
  if (!isLoading()) return;
  await new Promise<void>((resolve) => {
    const stop = core.subscribe(() => {
      if (isLoading()) return;
      stop();
      resolve();
    });
  });
}

export function jumpToFirstUnread(ports: LoadingPorts): void {
  const { screen } = ports.store;
  const place = browsePlace(screen);
  const line = screen.threadLine;
  const id =
    place?.parentId === undefined
      ? openEntry(ports.store.get())?.firstUnreadId
      : line?.key === placeKey(place)
        ? line.id
        : undefined;
  if (!place || id === undefined) return showNotice(ports, words.notices.nothingNew);
  jumpToMessage(ports, place, id);
}

/** Ends a jump, successful or not: what is in sight counts as read again. */
export function endJump({ store }: Pick<Ports, "store">): void {
  if (store.screen.jumping) store.update((s) => ({ ...s, jumping: false }));
}

/** Loads the message only if it is not held (R-SET-12). */
export function jumpToMessage(ports: LoadingPorts, place: ThreadRef, id: string): void {
  const go = (): void => {
    ports.store.update((s) => withFocus(s, place.parentId === undefined ? "messages" : "panel"));
    moveCursorTo(ports, place, id);
  };
  const finish = (): void => endJump(ports);
  if (!messageIn(ports.store.state, place, id))
    return attempt(ports, ports.core.jumpTo(place, id).then(go).finally(finish));
  go();
  finish();
}

/** Goes to the open channel's first message at or after `at` (ms); a notice tells when that is on a later day. */
export function jumpToTime(ports: LoadingPorts & Pick<Ports, "clock">, at: number): void {
  const { cid } = ports.store.screen;
  if (cid === undefined) return;
  const zone = { utc: ports.store.get().look.utc };
  const jumped = firstMessageSince(ports, { cid }, at).then((message) => {
    if (!message) {
      // The newest message is the closest one before that time.
      showNotice(ports, words.notices.nothingSince);
      return goToEnd("last")(ports);
    }
    jumpToMessage(ports, { cid }, message.id);
    const found = timeToMs(message.created_at);
    if (dayKey(found, zone) !== dayKey(at, zone))
      showNotice(ports, words.notices.nothingUntil(dayLabel(found, ports.clock.now(), zone)));
  });
  attempt(ports, jumped);
}

/** Loads the messages of the gap under the cursor (D6); false when there is no gap. */
export function fillGap(ports: Pick<Ports, "core" | "store">): boolean {
  const place = browsePlace(ports.store.screen);
  const id = scrollOf(ports.store.screen, place).selected;
  if (!place || (id !== OLDER && id !== NEWER)) return false;
  attempt(ports, id === OLDER ? ports.core.loadOlder(place) : ports.core.loadNewer(place));
  return true;
}
