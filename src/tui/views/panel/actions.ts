/** Actions of the right panel. */
import { openPanel, type NavigationPorts } from "../../navigation/open-channel.ts";
import { panelPopped } from "../../screen/transitions.ts";
import type { Action } from "../../ports/ports.ts";
import { topPanel, type Panel } from "../../screen/screen.ts";
import type { ListPorts } from "../messages/list.ts";
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
export function scrollPanel({ store, feeds }: ListPorts, by: number): boolean {
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

export const panelActions = {
  panel: togglePanel,
  details: toggleDetails,
} satisfies Record<string, Action>;
