/** Moves in lists of messages: scrolling, pages, days, the cursor. */
import { words } from "../../../text/words.ts";
import { dayKey, dayLabel } from "../../../text/times.ts";
import { splitCid } from "../../../wire/ids.ts";
import { timeToMs } from "../../../wire/time.ts";
import { NEWER, OLDER } from "./feed/feeds.ts";
import { listOf, type Lists } from "./list.ts";
import { feedWindow, revealed, scrolled, nextStop, type Anchor } from "./feed/feed.ts";
import { cycled, escapePressed, focused, viewed } from "../../screen/moves.ts";
import { browsePlace, composerPlace, scrollOf } from "../../screen/screen.ts";
import type { MessageSet, ThreadRef } from "../../../model/state.ts";
import type { Ports } from "../../ports/ports.ts";
import { shownSet } from "../../../model/select.ts";
import { attempt, tell } from "../../screen/telling.ts";
import { messageIn, openEntry } from "../../screen/selectors.ts";

/** Moving to what may not be held yet. */
type Searching = Lists & Pick<Ports, "core">;

/** Moves the window of a place; without an anchor it sticks to the newest message. */
export function scrollTo(
  { store }: Pick<Ports, "store">,
  place: ThreadRef,
  anchor: Anchor | undefined,
  selected?: string,
): void {
  store.now((screen) => {
    const view = scrollOf(screen, place);
    const set = shownSet(store.state, place);
    const last = set?.messages.at(set.messages.length - 1)?.id;
    const seenId = anchor ? (view.anchor ? view.seenId : last) : undefined;
    const next = { ...view, anchor, ...(seenId === undefined ? {} : { seenId }) };
    if (selected !== undefined) next.selected = selected;
    return viewed(screen, place, next);
  });
}

/** Esc, and a cursor on the newest message when it leads to browsing. */
export function escape(ports: Lists & Pick<Ports, "boxes">): void {
  const place = ports.boxes.place;
  ports.store.now(escapePressed);
  // A panel that closed leaves the box to the channel under it.
  if (place && ports.boxes.place?.parentId !== place.parentId) ports.boxes.open(ports.boxes.place!);
  selectMessage(ports);
}

/** While browsing there is always a message under the cursor, if there is any. */
export function selectMessage(ports: Lists): void {
  const { focus } = ports.store.screen;
  const place = browsePlace(ports.store.screen);
  if (!place || (focus !== "messages" && focus !== "panel")) return;
  const view = scrollOf(ports.store.screen, place);
  const { feed, height } = listOf(ports, place);
  if (view.selected !== undefined && feed.indexOf(view.selected) >= 0) return;
  const lines = feedWindow(feed, height, view.anchor).lines;
  const last = lines.findLast((l) => feed.stops(l.index));
  if (last) ports.store.now((s) => viewed(s, place, { ...view, selected: last.id }));
}

/** The next pane, with a message under the cursor where there are messages. */
export const pane =
  (by: 1 | -1) =>
  (ports: Lists): void => {
    ports.store.now((s) => cycled(s, by));
    selectMessage(ports);
  };

/** The list that the page keys move while writing: the thread when its panel is open. */
function listPlace(ports: Lists): ThreadRef | undefined {
  return ports.store.screen.focus === "composer"
    ? composerPlace(ports.store.screen)
    : browsePlace(ports.store.screen);
}

export function scroll(ports: Lists, by: number, place: ThreadRef | undefined = listPlace(ports)): void {
  if (!place) return;
  const { feed, height } = listOf(ports, place);
  const view = scrollOf(ports.store.screen, place);
  const anchor = scrolled(feed, height, view.anchor, by);
  scrollTo(ports, place, anchor);
  if (view.selected === undefined) return;
  // The cursor stays on the screen.
  const lines = feedWindow(feed, height, anchor).lines.filter((l) => feed.stops(l.index));
  if (lines.some((l) => l.id === view.selected)) return;
  const edge = by < 0 ? lines.at(-1) : lines[0];
  if (edge) scrollTo(ports, place, anchor, edge.id);
}

/** Parts of the window: 1 a page but one row, 0.5 a half. */
export const movePage =
  (part: number) =>
  (ports: Lists): void => {
    const place = listPlace(ports);
    if (!place) return;
    const { height } = listOf(ports, place);
    const rows = Math.max(1, Math.abs(part) === 1 ? height - 1 : Math.floor(height / 2));
    scroll(ports, part < 0 ? -rows : rows, place);
  };

export function goTo(ports: Lists, place: ThreadRef, id: string): void {
  const { feed, height } = listOf(ports, place);
  const view = scrollOf(ports.store.screen, place);
  scrollTo(ports, place, revealed(feed, height, view.anchor, id), id);
}

export const moveStep =
  (by: 1 | -1) =>
  (ports: Lists): void => {
    const place = browsePlace(ports.store.screen);
    if (!place) return;
    const { feed } = listOf(ports, place);
    const next = nextStop(feed, scrollOf(ports.store.screen, place).selected, by);
    if (next !== undefined) goTo(ports, place, next);
  };

export const end =
  (which: "first" | "last") =>
  (ports: Searching): void => {
    const place = browsePlace(ports.store.screen);
    if (!place) return;
    const set = shownSet(ports.store.state, place);
    if (which === "last" && set && !set.isLatest) return latest(ports, place);
    const { feed } = listOf(ports, place);
    const id = which === "first" ? nextStop(feed, undefined, 1) : nextStop(feed, undefined, -1);
    if (id === undefined) return;
    if (which === "last") return scrollTo(ports, place, undefined, id);
    goTo(ports, place, id);
    if (set?.hasPrev && place.parentId === undefined) oldest(ports, place, id);
  };

/** On to the oldest of the channel from the oldest that is held, for whoever stays there meanwhile. */
function oldest(ports: Searching, place: ThreadRef, from: string): void {
  const found = ports.core.call("queryChannel", {
    path: splitCid(place.cid)!,
    body: { state: true, messages: { created_at_after_or_equal: new Date(0).toISOString(), limit: 1 } },
  });
  attempt(
    ports,
    found.then(({ messages: [first] = [] }) => {
      const { screen } = ports.store;
      const stays = browsePlace(screen)?.cid === place.cid && scrollOf(screen, place).selected === from;
      if (first && stays) jumpToMessage(ports, place, first.id);
    }),
  );
}

function latest(ports: Searching, place: ThreadRef): void {
  attempt(
    ports,
    ports.core.backToLatest(place).then(() => {
      ports.store.now((s) => viewed(s, place, {}));
      selectMessage(ports);
    }),
  );
}

export const day =
  (by: 1 | -1) =>
  (ports: Searching): void => {
    const place = browsePlace(ports.store.screen);
    if (!place) return;
    if (by < 0) return dayBefore(ports, place);
    const set = shownSet(ports.store.state, place);
    if (!set) return;
    const dayOf = dayIn(ports, set);
    let at = standingAt(ports, place, set);
    if (at < 0) return;
    const from = dayOf(at);
    while (at < set.messages.length - 1 && dayOf(at) === from) at++;
    goTo(ports, place, set.messages.at(at)!.id);
  };

const dayIn = ({ store }: Pick<Ports, "store">, { messages }: MessageSet): ((at: number) => string) => {
  const zone = { utc: store.get().look.utc };
  return (at) => dayKey(timeToMs(messages.at(at)!.created_at), zone);
};

/** The message under the cursor, else the newest; -1 where there is none. */
function standingAt({ store }: Pick<Ports, "store">, place: ThreadRef, { messages }: MessageSet): number {
  const { selected } = scrollOf(store.screen, place);
  const known = selected === undefined ? -1 : messages.indexOf(selected);
  return known >= 0 ? known : messages.length - 1;
}

/** First to the start of this day, then to the start of the one before; `goal` is the day whose start is still looked for. */
function dayBefore(ports: Searching, place: ThreadRef, goal?: string): void {
  const set = shownSet(ports.store.state, place);
  let at = set ? standingAt(ports, place, set) : -1;
  if (!set || at < 0) return;
  const dayOf = dayIn(ports, set);
  let target = goal;
  if (target === undefined && at > 0) {
    const startsHere = dayOf(at - 1) !== dayOf(at);
    target = dayOf(startsHere ? at - 1 : at);
  }
  while (at > 0 && dayOf(at - 1) === target) at--;
  const { id } = set.messages.at(at)!;
  // Asked for before the move: what scrolling asks for is then the same.
  const more = at === 0 && set.hasPrev ? olderHeld(ports, place) : undefined;
  goTo(ports, place, id);
  if (!more) return;
  attempt(
    ports,
    more.then(() => {
      ports.store.now((s) => s);
      const stays = scrollOf(ports.store.screen, place).selected === id;
      const isMore = shownSet(ports.store.state, place)?.messages.at(0)?.id !== id;
      if (stays && isMore) dayBefore(ports, place, target);
    }),
  );
}

/** Waits for the page of older messages, which may be on its way already. */
async function olderHeld({ core }: Pick<Searching, "core">, place: ThreadRef): Promise<void> {
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

export function jumpToFirstUnread(ports: Searching): void {
  const { cid } = ports.store.screen;
  const id = openEntry(ports.store.get())?.firstUnreadId;
  if (cid === undefined || id === undefined) return tell(ports, words.notices.nothingNew);
  jumpToMessage(ports, { cid }, id);
}

/** Where one stands now counts as read again: the way to a message is over, also when it led nowhere. */
export function arrived({ store }: Pick<Ports, "store">): void {
  if (store.screen.passing) store.now((s) => ({ ...s, passing: false }));
}

/** R-SET-12: held → no request. */
export function jumpToMessage(ports: Searching, place: ThreadRef, id: string): void {
  const go = (): void => {
    ports.store.now((s) => focused(s, place.parentId === undefined ? "messages" : "panel"));
    goTo(ports, place, id);
  };
  const over = (): void => arrived(ports);
  if (!messageIn(ports.store.state, place, id))
    return attempt(ports, ports.core.jumpTo(place, id).then(go).finally(over));
  go();
  over();
}

/** To the first message of the open channel from a moment on; `at` in ms. One of a later day is not what was asked for, and that is said. */
export function jumpToTime(ports: Searching & Pick<Ports, "clock">, at: number): void {
  const { cid } = ports.store.screen;
  if (cid === undefined) return;
  const zone = { utc: ports.store.get().look.utc };
  const { type, id } = splitCid(cid)!;
  const from = new Date(at).toISOString();
  attempt(
    ports,
    ports.core
      .call("queryChannel", {
        path: { type, id },
        body: { state: true, messages: { created_at_after_or_equal: from, limit: 1 } },
      })
      .then(({ messages: [found] = [] }) => {
        if (found) {
          jumpToMessage(ports, { cid }, found.id);
          const next = timeToMs(found.created_at);
          if (dayKey(next, zone) !== dayKey(at, zone))
            tell(ports, words.notices.nothingUntil(dayLabel(next, ports.clock.now(), zone)));
        } else {
          // The newest is the last one before it.
          tell(ports, words.notices.nothingSince);
          end("last")(ports);
        }
      }),
  );
}

/** Enter on a gap fills it (D6). True when it was one. */
export function fillGap(ports: Pick<Ports, "core" | "store">): boolean {
  const place = browsePlace(ports.store.screen);
  const id = scrollOf(ports.store.screen, place).selected;
  if (!place || (id !== OLDER && id !== NEWER)) return false;
  attempt(ports, id === OLDER ? ports.core.loadOlder(place) : ports.core.loadNewer(place));
  return true;
}
