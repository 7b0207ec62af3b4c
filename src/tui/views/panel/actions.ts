/** Actions of the right panel. */
import { openPanel, type NavigationPorts } from "../../navigation/open-channel.ts";
import { panelPopped } from "../../screen/transitions.ts";
import type { Action } from "../../ports/ports.ts";
import { topPanel, type Panel } from "../../screen/screen.ts";
import type { ListPorts } from "../messages/list.ts";
import { movePage, moveStep } from "../messages/navigation.ts";
import { panelRows, type PagePanel } from "./rows.ts";

/** Closes the panel, or opens the details of the channel. */
function togglePanel(ports: NavigationPorts): void {
  const { screen } = ports.store;
  if (topPanel(screen)) ports.store.update(panelPopped);
  else if (screen.cid !== undefined) openPanel(ports, { kind: "details", cid: screen.cid });
}

function toggleDetails(ports: NavigationPorts): void {
  const { cid } = ports.store.screen;
  if (cid === undefined) return;
  if (topPanel(ports.store.screen)?.kind === "details") ports.store.update(panelPopped);
  else openPanel(ports, { kind: "details", cid });
}

const PAGE_KINDS: readonly Panel["kind"][] = ["details", "votes", "about", "message"];

const isPage = (panel: Panel): panel is PagePanel => PAGE_KINDS.includes(panel.kind);

/** Scrolls a focused page panel by rows; false if another panel is focused. */
function scrollPanel({ store, feeds }: ListPorts, by: number): boolean {
  const model = store.get();
  const { screen, state, layout, look } = model;
  const panel = topPanel(screen);
  const rect = layout.panel;
  if (screen.focus !== "panel" || !panel || !rect) return false;
  if (!isPage(panel)) return false;
  const { width } = rect;
  const context = feeds.context(model, width);
  const { length } = panelRows({ state, panel, theme: look.theme, width, context, utc: look.utc });
  const maxTop = Math.max(0, length - rect.height + 1);
  store.update((s) => ({ ...s, panelTop: Math.max(0, Math.min(maxTop, s.panelTop + by)) }));
  return true;
}

const browse =
  (by: 1 | -1): Action =>
  (ports) =>
    scrollPanel(ports, by) || moveStep(by)(ports);

/** Scrolls by a part of the visible height: 1 = a page less one row, 0.5 = half a page. */
const scrollPages =
  (part: number): Action =>
  (ports) => {
    const rows = (ports.store.get().layout.panel?.height ?? 2) - 2;
    if (!scrollPanel(ports, Math.round(part * rows))) movePage(part)(ports);
  };

export const panelActions = {
  panel: togglePanel,
  details: toggleDetails,
  browseDown: browse(1),
  browseUp: browse(-1),
  halfPageUp: scrollPages(-0.5),
  halfPageDown: scrollPages(0.5),
  pageUp: scrollPages(-1),
  pageDown: scrollPages(1),
} satisfies Record<string, Action>;
