/** Pure functions from one screen state to the next: focus, panels, popups, scroll position, sidebar. */
import { halfSwitched, isSplit } from "./halves.ts";
import { isRoomy, isTiny, layoutKind } from "./layout.ts";
import { popupPopped } from "./popup.ts";
import {
  browsePlace,
  DETAILS,
  topPanel,
  scrollOf,
  type CompletionState,
  type Focus,
  type Panel,
  type Screen,
  type ScrollView,
} from "./screen.ts";
import { placeKey } from "./place-key.ts";
import type { ThreadRef } from "../../model/state.ts";

export function resized(screen: Screen, columns: number, rows: number): Screen {
  if (screen.columns === columns && screen.rows === rows) return screen;
  const next = { ...screen, columns, rows };
  // A sidebar that is no longer visible must not keep the focus.
  if (screen.focus === "sidebar" && !canShowSidebar(next)) next.focus = "composer";
  if (layoutKind(columns, rows) !== "narrow") next.sidebar = { ...next.sidebar, over: false };
  return next;
}

function canShowSidebar(screen: Screen): boolean {
  return !isTiny(screen.columns, screen.rows);
}

function isSidebarVisible(screen: Screen): boolean {
  const kind = layoutKind(screen.columns, screen.rows);
  if (kind === "tiny") return false;
  return kind === "narrow" ? screen.sidebar.over : !screen.sidebar.hidden;
}

/** Shows a channel in the half with the focus, or gives the focus to the half that shows it: panels close and the composer gets the keys. */
export function channelOpened(before: Screen, cid: string, jumping = false): Screen {
  const screen = before.other?.cid === cid ? halfSwitched(before) : before;
  const sidebar = { ...screen.sidebar, over: false, filter: undefined };
  const opened: Screen = {
    ...screen,
    jumping,
    panels: [],
    focus: "composer",
    sidebar,
    completion: undefined,
    vim: undefined,
    enterHeld: undefined,
  };
  if (screen.cid === cid) return opened;
  return { ...opened, cid, lastCid: screen.cid ?? screen.lastCid, pendingKey: undefined };
}

export function withFocus(screen: Screen, focus: Focus): Screen {
  if (focus === "panel" && !topPanel(screen)) return screen;
  const next: Screen = { ...screen, focus, completion: undefined, pendingKey: undefined, quitArmed: false };
  if (focus !== "composer" || screen.focus !== "composer") next.vim = undefined;
  if (focus !== screen.focus) next.range = undefined;
  if (focus !== "composer") next.enterHeld = undefined;
  if (focus === "sidebar") {
    if (!canShowSidebar(screen)) return screen;
    next.sidebar = {
      ...screen.sidebar,
      hidden: false,
      over: layoutKind(screen.columns, screen.rows) === "narrow",
      cursor: screen.cid ?? screen.sidebar.cursor,
    };
  } else if (screen.sidebar.over || screen.sidebar.filter !== undefined)
    next.sidebar = { ...screen.sidebar, over: false, filter: undefined };
  return next;
}

/**
 * Tab and Shift-Tab: composer → messages → panel → sidebar → composer, skipping panes that are not visible. While two halves are,
 * Tab goes from one to the other, and Shift-Tab to the sidebar.
 */
export function withNextPane(screen: Screen, by: 1 | -1): Screen {
  if (isSplit(screen)) return withNextHalf(screen, by);
  const panel = topPanel(screen) !== undefined;
  const beside = layoutKind(screen.columns, screen.rows) === "wide";
  const panes: Focus[] = ["composer"];
  if (!panel || beside) panes.push("messages");
  if (panel) panes.push("panel");
  if (isSidebarVisible(screen)) panes.push("sidebar");
  const at = Math.max(0, panes.indexOf(screen.focus));
  return withFocus(screen, panes[(at + by + panes.length) % panes.length]!);
}

function withNextHalf(screen: Screen, by: 1 | -1): Screen {
  if (screen.focus === "sidebar") return withFocus(screen, "composer");
  return by < 0 && isSidebarVisible(screen) ? withFocus(screen, "sidebar") : halfSwitched(screen);
}

export function panelPushed(screen: Screen, panel: Panel): Screen {
  const top = topPanel(screen);
  const panels =
    top && isSame(top, panel) ? [...screen.panels.slice(0, -1), panel] : [...screen.panels, panel];
  const focus: Focus = panel.place ? "composer" : "panel";
  // A sidebar over the messages would hide the panel: withFocus closes it.
  const detailsClosed = panel.name === DETAILS ? false : (screen.detailsClosed ?? false);
  return { ...withFocus({ ...screen, panels, detailsClosed }, focus), vim: undefined };
}

const isSame = (one: Panel, other: Panel): boolean =>
  one.name === other.name && one.key === other.key && one.cid === other.cid;

/** Opens the panel instead of all others. */
export const panelAlone = (screen: Screen, panel: Panel): Screen =>
  withFocus({ ...screen, panels: [panel] }, "panel");

export function panelPopped(screen: Screen): Screen {
  if (!screen.panels.length) return screen;
  const panels = screen.panels.slice(0, -1);
  const focus: Focus = screen.focus === "panel" && !panels.length ? "messages" : screen.focus;
  const closesDetails = topPanel(screen)?.name === DETAILS && isRoomy(screen.columns, screen.rows);
  return { ...screen, panels, focus, ...(closesDetails && { detailsClosed: true }) };
}

/** Closes the panels that cover the messages of a channel, so that what was just sent to it is seen. */
export function uncovered(screen: Screen, { parentId }: ThreadRef): Screen {
  const beside = layoutKind(screen.columns, screen.rows) === "wide";
  return beside || parentId !== undefined || !topPanel(screen) ? screen : { ...screen, panels: [] };
}

/**
 * Esc closes, in this order: completion, popup, pending chord, range, panel (while browsing), selection; then it returns
 * to the composer, and from the composer to browsing. It never deletes text.
 */
export function escapePressed(screen: Screen): Screen {
  if (screen.completion) return { ...screen, completion: undefined };
  if (screen.popups.length) return popupPopped(screen);
  if (screen.pendingKey !== undefined) return { ...screen, pendingKey: undefined };
  if (screen.range) return { ...screen, range: undefined };
  switch (screen.focus) {
    case "composer":
      return withFocus(screen, topPanel(screen) ? "panel" : "messages");
    case "panel":
      return panelPopped(screen);
    case "messages": {
      if (topPanel(screen)) return panelPopped(screen);
      const place = browsePlace(screen);
      const view = scrollOf(screen, place);
      const cleared =
        place && view.selected ? withScroll(screen, place, { ...view, selected: undefined }) : screen;
      return withFocus(cleared, "composer");
    }
    case "sidebar":
      return screen.sidebar.filter === undefined
        ? withFocus(screen, "composer")
        : { ...screen, sidebar: { ...screen.sidebar, filter: undefined } };
  }
}

export function withScroll(screen: Screen, place: ThreadRef, view: ScrollView): Screen {
  const views = new Map(screen.views);
  const key = placeKey(place);
  const scroll: ScrollView = {};
  if (view.anchor) scroll.anchor = view.anchor;
  if (view.selected !== undefined) scroll.selected = view.selected;
  if (view.anchor && view.seenId !== undefined) scroll.seenId = view.seenId;
  views.set(key, scroll);
  return { ...screen, views };
}

export function withCompletion(screen: Screen, completion: CompletionState | undefined): Screen {
  return screen.completion === completion ? screen : { ...screen, completion };
}

export function sidebarToggled(screen: Screen): Screen {
  const kind = layoutKind(screen.columns, screen.rows);
  if (kind === "tiny") return screen;
  if (kind === "narrow")
    return screen.sidebar.over ? withFocus(screen, "composer") : withFocus(screen, "sidebar");
  const hidden = !screen.sidebar.hidden;
  const focus = hidden && screen.focus === "sidebar" ? "composer" : screen.focus;
  return { ...screen, focus, sidebar: { ...screen.sidebar, hidden } };
}

export function groupFolded(screen: Screen, group: string): Screen {
  const next = new Set(screen.sidebar.folded);
  if (!next.delete(group)) next.add(group);
  return { ...screen, sidebar: { ...screen.sidebar, folded: next } };
}
