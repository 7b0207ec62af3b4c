/** Getting about in lists of messages: scrolling, pages, days, the browse cursor. */
import { words } from "../../../text/words.ts";
import { dayKey } from "../../../text/times.ts";
import { parseWhen } from "../../../text/when.ts";
import { isMessageId, splitCid } from "../../../wire/ids.ts";
import { timeToMs } from "../../../wire/time.ts";
import { NEWER, OLDER } from "./feeds.ts";
import { listOf } from "./list.ts";
import { feedWindow, revealed, scrolled, stopFrom } from "./feed.ts";
import { cycled, escaped, focused, viewed } from "../../screen/moves.ts";
import { topPopup, viewOf } from "../../screen/screen.ts";
import type { ThreadRef } from "../../../model/state.ts";
import type { Ui } from "../../ui.ts";

/** Esc, and a cursor on the newest message when it leads to browsing. */
export function escape(ui: Ui): void {
  const popup = topPopup(ui.screen);
  if (popup?.kind === "confirm") ui.answer(popup.token, false);
  const place = ui.writing();
  ui.change(escaped);
  // A panel that closed leaves the box to the channel under it.
  if (place && ui.writing()?.parentId !== place.parentId) ui.restoreBox(ui.writing()!);
  select(ui);
}

/** While browsing there is always a message under the cursor, if there is any. */
function select(ui: Ui): void {
  const { focus } = ui.screen;
  const place = ui.browsing();
  if (!place || (focus !== "messages" && focus !== "panel")) return;
  const view = viewOf(ui.screen, place);
  const { feed, height } = listOf(ui, place);
  if (view.selected !== undefined && feed.indexOf(view.selected) >= 0) return;
  const lines = feedWindow(feed, height, view.anchor).lines;
  const last = lines.findLast((l) => feed.stops(l.index));
  if (last) ui.change((s) => viewed(s, place, { ...view, selected: last.id }));
}

/** The next pane, with a message under the cursor where there are messages. */
export const pane =
  (by: 1 | -1) =>
  (ui: Ui): void => {
    ui.change((s) => cycled(s, by));
    select(ui);
  };

/** The list that the page keys move while writing: the thread when its panel is open. */
function listPlace(ui: Ui): ThreadRef | undefined {
  return ui.screen.focus === "composer" ? ui.writing() : ui.browsing();
}

export function scroll(ui: Ui, by: number, place: ThreadRef | undefined = listPlace(ui)): void {
  if (!place) return;
  const { feed, height } = listOf(ui, place);
  const view = viewOf(ui.screen, place);
  const anchor = scrolled(feed, height, view.anchor, by);
  ui.scrollTo(place, anchor);
  if (view.selected === undefined) return;
  // The cursor stays on the screen.
  const lines = feedWindow(feed, height, anchor).lines.filter((l) => feed.stops(l.index));
  if (lines.some((l) => l.id === view.selected)) return;
  const edge = by < 0 ? lines.at(-1) : lines[0];
  if (edge) ui.scrollTo(place, anchor, edge.id);
}

/** Parts of the window: 1 a page but one row, 0.5 a half. */
export const page =
  (part: number) =>
  (ui: Ui): void => {
    const place = listPlace(ui);
    if (!place) return;
    const { height } = listOf(ui, place);
    const rows = Math.max(1, Math.abs(part) === 1 ? height - 1 : Math.floor(height / 2));
    scroll(ui, part < 0 ? -rows : rows, place);
  };

export function goTo(ui: Ui, place: ThreadRef, id: string): void {
  const { feed, height } = listOf(ui, place);
  const view = viewOf(ui.screen, place);
  ui.scrollTo(place, revealed(feed, height, view.anchor, id), id);
}

export const step =
  (by: 1 | -1) =>
  (ui: Ui): void => {
    const place = ui.browsing();
    if (!place) return;
    const { feed } = listOf(ui, place);
    const next = stopFrom(feed, viewOf(ui.screen, place).selected, by);
    if (next !== undefined) goTo(ui, place, next);
  };

export const end =
  (which: "first" | "last") =>
  (ui: Ui): void => {
    const place = ui.browsing();
    if (!place) return;
    const set = ui.set(place);
    if (which === "last" && set && !set.isLatest) return latest(ui, place);
    const { feed } = listOf(ui, place);
    const id = which === "first" ? stopFrom(feed, undefined, 1) : stopFrom(feed, undefined, -1);
    if (id === undefined) return;
    if (which === "last") ui.scrollTo(place, undefined, id);
    else goTo(ui, place, id);
  };

function latest(ui: Ui, place: ThreadRef): void {
  ui.try(
    ui.core.backToLatest(place).then(() => {
      ui.change((s) => viewed(s, place, {}));
      select(ui);
    }),
  );
}

export const day =
  (by: 1 | -1) =>
  (ui: Ui): void => {
    const place = ui.browsing();
    const set = place && ui.set(place);
    if (!place || !set) return;
    const zone = { utc: ui.ports.utc };
    const dayOf = (i: number): string => dayKey(timeToMs(set.messages.at(i)!.created_at), zone);
    const selected = viewOf(ui.screen, place).selected;
    const known = selected === undefined ? -1 : set.messages.indexOf(selected);
    let at = known >= 0 ? known : set.messages.length - 1;
    if (at < 0) return;
    const from = dayOf(at);
    if (by > 0) while (at < set.messages.length - 1 && dayOf(at) === from) at++;
    else {
      // First to the start of this day, then to the start of the one before.
      const startsHere = at > 0 && dayOf(at - 1) === from;
      if (!startsHere && at > 0) at--;
      const target = dayOf(at);
      while (at > 0 && dayOf(at - 1) === target) at--;
    }
    goTo(ui, place, set.messages.at(at)!.id);
  };

export function firstUnread(ui: Ui): void {
  const { cid } = ui.screen;
  const id = ui.entry(cid)?.firstUnreadId;
  if (cid === undefined || id === undefined) return ui.tell(words.notices.nothingNew);
  jumpToMessage(ui, { cid }, id);
}

/** R-SET-12: held → no request. */
function jumpToMessage(ui: Ui, place: ThreadRef, id: string): void {
  ui.change((s) => focused(s, place.parentId === undefined ? "messages" : "panel"));
  if (ui.message(place, id)) return goTo(ui, place, id);
  ui.try(ui.core.jumpTo(place, id).then(() => (ui.store.now((s) => s), goTo(ui, place, id))));
}

/** `:`: a message id, or a date and time as people write them. */
export function jumpTo(ui: Ui, typed: string): void {
  const { cid } = ui.screen;
  const text = typed.trim();
  if (cid === undefined || text === "") return;
  let at: number;
  try {
    at = parseWhen(text, { now: ui.ports.clock.now(), direction: "past", utc: ui.ports.utc });
  } catch (error) {
    if (isMessageId(text)) return jumpToMessage(ui, { cid }, text);
    return ui.fail(error);
  }
  const { type, id } = splitCid(cid)!;
  const around = new Date(at).toISOString();
  ui.try(
    ui.core
      .call("queryChannel", {
        path: { type, id },
        body: { state: true, messages: { created_at_around: around, limit: 2 } },
      })
      .then((reply) => {
        const messages = reply.messages ?? [];
        const found = messages.find((m) => timeToMs(m.created_at) >= at) ?? messages.at(-1);
        if (found) jumpToMessage(ui, { cid }, found.id);
        else ui.tell(words.notices.notFound);
      }),
  );
}

/** Enter on a gap fills it (D6). True when it was one. */
export function fillGap(ui: Ui): boolean {
  const place = ui.browsing();
  const id = viewOf(ui.screen, place).selected;
  if (!place || (id !== OLDER && id !== NEWER)) return false;
  ui.try(id === OLDER ? ui.core.loadOlder(place) : ui.core.loadNewer(place));
  return true;
}
