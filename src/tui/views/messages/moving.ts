/** Getting about: channels, unread rounds, panes, panels, scrolling, days, the browse cursor. */
import { words } from "../../../text/words.ts";
import { dayKey } from "../../../text/times.ts";
import { parseWhen } from "../../../text/when.ts";
import { isMessageId, splitCid } from "../../../wire/ids.ts";
import { timeToMs } from "../../../wire/time.ts";
import { NEWER, OLDER } from "./feeds.ts";
import { panelRows } from "../panel/rows.ts";
import { listed, waiting } from "../../../model/channels.ts";
import { feedWindow, revealed, scrolled, stopFrom } from "./feed.ts";
import { cycled, escaped, focused, folded, panelPopped, panelPushed, viewed } from "../../screen/moves.ts";
import { topPanel, topPopup, viewOf } from "../../screen/screen.ts";
import type { Panel } from "../../screen/screen.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { channelBeside, stopBeside } from "../sidebar/lines.ts";
import type { Ui } from "../../ui.ts";

/** Mentions first, then direct, then the rest; after the last, back to where the round began. */
export function nextUnread(ui: Ui): void {
  const { cid, roundFrom } = ui.screen;
  const next = waiting(ui.state, ui.model.now).find((e) => e.cid !== cid);
  if (next) {
    ui.change((s) => ({ ...s, roundFrom: s.roundFrom ?? s.cid }));
    return ui.open(next.cid);
  }
  ui.change((s) => ({ ...s, roundFrom: undefined }));
  if (roundFrom !== undefined && roundFrom !== cid) ui.open(roundFrom);
  else ui.tell(words.notices.nothingNew);
}

export function openPinned(n: number) {
  return (ui: Ui): void => {
    const entry = listed(ui.state).filter((e) => e.membership?.pinned_at && !e.membership.archived_at)[n - 1];
    if (entry) ui.open(entry.cid);
    else ui.tell(`There is no pinned channel ${n}.`);
  };
}

export function lastChannel(ui: Ui): void {
  const { lastCid } = ui.screen;
  if (lastCid !== undefined && ui.entry(lastCid)) ui.open(lastCid);
}

export function beside(by: 1 | -1) {
  return (ui: Ui): void => {
    const cid = channelBeside(ui.sidebarLines(), ui.screen.cid, by);
    if (cid !== undefined) ui.open(cid);
  };
}

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
export function select(ui: Ui): void {
  const { focus } = ui.screen;
  const place = ui.browsing();
  if (!place || (focus !== "messages" && focus !== "panel")) return;
  const view = viewOf(ui.screen, place);
  const { feed, height } = ui.feed(place);
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

export function openPanel(ui: Ui, panel: Panel): void {
  ui.change((s) => panelPushed(s, panel));
  if (panel.kind !== "thread") return;
  ui.restoreBox({ cid: panel.cid, parentId: panel.parentId });
  ui.try(ui.core.openThread(panel.cid, panel.parentId));
}

/** Ctrl-T: the panel goes, or the details of the channel come. */
export function togglePanel(ui: Ui): void {
  if (topPanel(ui.screen)) ui.change((s) => panelPopped(s));
  else if (ui.screen.cid !== undefined) openPanel(ui, { kind: "details", cid: ui.screen.cid });
}

export function togglePanelOf(kind: "details" | "members") {
  return (ui: Ui): void => {
    const { cid } = ui.screen;
    if (cid === undefined) return;
    if (topPanel(ui.screen)?.kind === kind) ui.change(panelPopped);
    else openPanel(ui, { kind, cid });
  };
}

/** The list that the page keys move while writing: the thread when its panel is open. */
function listPlace(ui: Ui): ThreadRef | undefined {
  return ui.screen.focus === "composer" ? ui.writing() : ui.browsing();
}

export function scroll(ui: Ui, by: number, place: ThreadRef | undefined = listPlace(ui)): void {
  if (!place) return;
  const { feed, height } = ui.feed(place);
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
    if (movePanel(ui, Math.round(part * ((ui.layout().panel?.height ?? 2) - 2)))) return;
    const place = listPlace(ui);
    if (!place) return;
    const { height } = ui.feed(place);
    const rows = Math.max(1, Math.abs(part) === 1 ? height - 1 : Math.floor(height / 2));
    scroll(ui, part < 0 ? -rows : rows, place);
  };

export function goTo(ui: Ui, place: ThreadRef, id: string): void {
  const { feed, height } = ui.feed(place);
  const view = viewOf(ui.screen, place);
  ui.scrollTo(place, revealed(feed, height, view.anchor, id), id);
}

/** A panel that is no list of messages moves by rows; true when it has the keys. */
function movePanel(ui: Ui, by: number): boolean {
  const panel = topPanel(ui.screen);
  const rect = ui.layout().panel;
  if (ui.screen.focus !== "panel" || !panel || panel.kind === "thread" || !rect) return false;
  const rows = panelRows({
    state: ui.state,
    panel,
    theme: ui.ports.theme,
    width: rect.width,
    context: ui.feeds.context(ui.model, rect.width),
    utc: ui.ports.utc,
  }).length;
  const most = Math.max(0, rows - rect.height + 1);
  ui.change((s) => ({ ...s, panelTop: Math.max(0, Math.min(most, s.panelTop + by)) }));
  return true;
}

export const step =
  (by: 1 | -1) =>
  (ui: Ui): void => {
    if (movePanel(ui, by)) return;
    const place = ui.browsing();
    if (!place) return;
    const { feed } = ui.feed(place);
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
    const { feed } = ui.feed(place);
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
export function jumpToMessage(ui: Ui, place: ThreadRef, id: string): void {
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

export const sidebarStep =
  (by: number) =>
  (ui: Ui): void =>
    ui.change((s) => ({
      ...s,
      sidebar: { ...s.sidebar, cursor: stopBeside(ui.sidebarLines(), s.sidebar.cursor, by) },
    }));

/** What the views of the sidebar open. */
export type Views = Readonly<Record<"view:inbox" | "view:threads" | "view:drafts", (ui: Ui) => void>>;

export function sidebarOpen(ui: Ui, views: Views): void {
  const line = ui.sidebarLines().find((l) => l.key === ui.screen.sidebar.cursor);
  if (line?.kind === "channel") ui.open(line.cid);
  else if (line?.kind === "group") fold(ui, line.group);
  else if (line?.kind === "view") views[line.key](ui);
}

export function fold(ui: Ui, group: string): void {
  ui.change((s) => folded(s, group));
  ui.core.keep("folded", [...ui.screen.sidebar.folded]);
}

/** Space or ← on a line folds the group it stands in. */
export function foldHere(ui: Ui): void {
  const lines = ui.sidebarLines();
  const at = lines.findIndex((l) => l.key === ui.screen.sidebar.cursor);
  const group = lines.slice(0, at + 1).findLast((l) => l.kind === "group");
  if (!group || group.kind !== "group") return;
  ui.change((s) => ({ ...s, sidebar: { ...s.sidebar, cursor: group.key } }));
  fold(ui, group.group);
}
