/** What keys do with the right panel. */
import { openPanel } from "../../navigation/opening.ts";
import { panelPopped } from "../../screen/moves.ts";
import { topPanel } from "../../screen/screen.ts";
import type { Ui } from "../../ui.ts";
import { panelRows } from "./rows.ts";

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

/** A panel that is no list of messages moves by rows; true when it has the keys. */
export function scrollPanel(ui: Ui, by: number): boolean {
  const panel = topPanel(ui.screen);
  const rect = ui.model.layout.panel;
  if (ui.screen.focus !== "panel" || !panel || panel.kind === "thread" || !rect) return false;
  const rows = panelRows({
    state: ui.state,
    panel,
    theme: ui.model.look.theme,
    width: rect.width,
    context: ui.feeds.context(ui.model, rect.width),
    utc: ui.model.look.utc,
  }).length;
  const most = Math.max(0, rows - rect.height + 1);
  ui.change((s) => ({ ...s, panelTop: Math.max(0, Math.min(most, s.panelTop + by)) }));
  return true;
}

/** Parts of the panel: 1 a page but one row, 0.5 a half; true when it has the keys. */
export const pagePanel = (ui: Ui, part: number): boolean =>
  scrollPanel(ui, Math.round(part * ((ui.model.layout.panel?.height ?? 2) - 2)));
