/** Every way the screen itself can change, as pure functions from screen to screen: focus, panels, popups, scroll, sidebar. */
import { isTiny, layoutKind } from "./layout.ts";
import type { ComposerBox } from "./composer.ts";
import { popupPopped } from "./popup.ts";
import {
  browsePlace,
  topPanel,
  scrollOf,
  type CompletionState,
  type Focus,
  type ListName,
  type Panel,
  type PanelOf,
  type Screen,
  type ScrollView,
} from "./screen.ts";
import { NO_CHANNEL_KEY, placeKey } from "./place-key.ts";
import type { ThreadRef } from "../../model/state.ts";

export function resized(screen: Screen, columns: number, rows: number): Screen {
  if (screen.columns === columns && screen.rows === rows) return screen;
  const next = { ...screen, columns, rows };
  // What cannot be seen any more must not keep the keys.
  if (screen.focus === "sidebar" && !canShowSidebar(next)) next.focus = "composer";
  if (layoutKind(columns, rows) !== "narrow") next.sidebar = { ...next.sidebar, over: false };
  return next;
}

function canShowSidebar(screen: Screen): boolean {
  return !isTiny(screen.columns, screen.rows);
}

/** The sidebar can be seen now. */
function isSidebarVisible(screen: Screen): boolean {
  const kind = layoutKind(screen.columns, screen.rows);
  if (kind === "tiny") return false;
  return kind === "narrow" ? screen.sidebar.over : !screen.sidebar.hidden;
}

/** Another channel in the middle: panels of the old one close, the box is ready to write. */
export function channelOpened(screen: Screen, cid: string, passing = false): Screen {
  const sidebar = { ...screen.sidebar, over: false, filter: undefined };
  if (screen.cid === cid)
    return {
      ...screen,
      jumping: passing,
      panels: [],
      focus: "composer",
      sidebar,
      completion: undefined,
      vim: undefined,
    };
  return {
    ...screen,
    cid,
    jumping: passing,
    lastCid: screen.cid ?? screen.lastCid,
    panels: [],
    focus: "composer",
    sidebar,
    completion: undefined,
    pendingKey: undefined,
    vim: undefined,
  };
}

export function withFocus(screen: Screen, focus: Focus): Screen {
  if (focus === "panel" && !topPanel(screen)) return screen;
  const next: Screen = { ...screen, focus, completion: undefined, pendingKey: undefined, quitArmed: false };
  if (focus !== "composer" || screen.focus !== "composer") next.vim = undefined;
  if (focus !== screen.focus) next.range = undefined;
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

/** Tab and Shift-Tab: composer → messages → panel → sidebar → composer, only what can be seen. */
export function withNextPane(screen: Screen, by: 1 | -1): Screen {
  const panel = topPanel(screen) !== undefined;
  const beside = layoutKind(screen.columns, screen.rows) === "wide";
  const stops: Focus[] = ["composer"];
  if (!panel || beside) stops.push("messages");
  if (panel) stops.push("panel");
  if (isSidebarVisible(screen)) stops.push("sidebar");
  const at = Math.max(0, stops.indexOf(screen.focus));
  return withFocus(screen, stops[(at + by + stops.length) % stops.length]!);
}

export function panelPushed(screen: Screen, panel: Panel): Screen {
  const top = topPanel(screen);
  const same =
    top && top.kind === panel.kind && JSON.stringify(keyOfPanel(top)) === JSON.stringify(keyOfPanel(panel));
  const panels = same ? [...screen.panels.slice(0, -1), panel] : [...screen.panels, panel];
  const focus: Focus = panel.kind === "thread" ? "composer" : "panel";
  // A list over the messages would hide what was opened.
  return { ...withFocus({ ...screen, panels }, focus), panelTop: 0, vim: undefined };
}

function keyOfPanel(panel: Panel): string[] {
  switch (panel.kind) {
    case "thread":
      return [panel.cid, panel.parentId];
    case "message":
      return [panel.cid, panel.message.id];
    case "list":
      return [panel.list];
    case "votes":
    case "about":
      return [panel.cid, panel.id];
    case "map":
      return [panel.cid, panel.opened];
    case "campaign":
      return [panel.id];
    case "search":
      return [];
    default:
      return [panel.cid];
  }
}

/** The uppermost panel of this kind as it is now: what it waited for may come while another one lies over it. */
export function panelChanged<Kind extends Panel["kind"]>(
  screen: Screen,
  kind: Kind,
  change: (panel: PanelOf<Kind>) => Panel,
): Screen {
  const { panels } = screen;
  const at = panels.findLastIndex((panel) => panel.kind === kind);
  return at < 0 ? screen : { ...screen, panels: panels.with(at, change(panels[at] as PanelOf<Kind>)) };
}

/** A list of the own user in the panel, from its beginning; what stood there before is left. */
export function listOpened(screen: Screen, list: ListName): Screen {
  const { [list]: _before, ...cursors } = screen.cursors;
  return { ...withFocus({ ...screen, panels: [{ kind: "list", list }] }, "panel"), cursors };
}

export function panelPopped(screen: Screen): Screen {
  if (!screen.panels.length) return screen;
  const panels = screen.panels.slice(0, -1);
  const focus: Focus = screen.focus === "panel" && !panels.length ? "messages" : screen.focus;
  return { ...screen, panels, focus, panelTop: 0 };
}

/**
 * Esc, which never deletes text: completion, then popup, then (browsing) panel, then selection, then back to
 * the composer; from the composer it goes to browsing.
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
  const plain: ScrollView = {};
  if (view.anchor) plain.anchor = view.anchor;
  if (view.selected !== undefined) plain.selected = view.selected;
  if (view.anchor && view.seenId !== undefined) plain.seenId = view.seenId;
  views.set(key, plain);
  return { ...screen, views };
}

export function withComposer(screen: Screen, place: ThreadRef | undefined, composer: ComposerBox): Screen {
  const composers = new Map(screen.composers);
  composers.set(place ? placeKey(place) : NO_CHANNEL_KEY, composer);
  return { ...screen, composers, quitArmed: false };
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
