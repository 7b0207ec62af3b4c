/** What keys do with the right panel. */
import { openPanel } from "../../navigation/opening.ts";
import { panelPopped } from "../../screen/moves.ts";
import { topPanel } from "../../screen/screen.ts";
import type { Ports } from "../../screen/ports.ts";
import { panelRows } from "./rows.ts";

/** Ctrl-T: the panel goes, or the details of the channel come. */
export function togglePanel(ports: Ports): void {
  if (topPanel(ports.store.screen)) ports.store.now((s) => panelPopped(s));
  else if (ports.store.screen.cid !== undefined)
    openPanel(ports, { kind: "details", cid: ports.store.screen.cid });
}

export function togglePanelOf(kind: "details" | "members") {
  return (ports: Ports): void => {
    const { cid } = ports.store.screen;
    if (cid === undefined) return;
    if (topPanel(ports.store.screen)?.kind === kind) ports.store.now(panelPopped);
    else openPanel(ports, { kind, cid });
  };
}

/** A panel that is no list of messages moves by rows; true when it has the keys. */
export function scrollPanel(ports: Ports, by: number): boolean {
  const panel = topPanel(ports.store.screen);
  const rect = ports.store.get().layout.panel;
  if (ports.store.screen.focus !== "panel" || !panel || panel.kind === "thread" || !rect) return false;
  const rows = panelRows({
    state: ports.store.state,
    panel,
    theme: ports.store.get().look.theme,
    width: rect.width,
    context: ports.feeds.context(ports.store.get(), rect.width),
    utc: ports.store.get().look.utc,
  }).length;
  const most = Math.max(0, rows - rect.height + 1);
  ports.store.now((s) => ({ ...s, panelTop: Math.max(0, Math.min(most, s.panelTop + by)) }));
  return true;
}

/** Parts of the panel: 1 a page but one row, 0.5 a half; true when it has the keys. */
export const pagePanel = (ports: Ports, part: number): boolean =>
  scrollPanel(ports, Math.round(part * ((ports.store.get().layout.panel?.height ?? 2) - 2)));
