/** Opening channels and panels from wherever one is. */
import { listed, waiting } from "../../model/channels.ts";
import { words } from "../../text/words.ts";
import { panelPushed } from "../screen/moves.ts";
import type { Panel } from "../screen/screen.ts";
import type { Ui } from "../ui.ts";

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

export function openPanel(ui: Ui, panel: Panel): void {
  ui.change((s) => panelPushed(s, panel));
  if (panel.kind !== "thread") return;
  ui.restoreBox({ cid: panel.cid, parentId: panel.parentId });
  ui.try(ui.core.openThread(panel.cid, panel.parentId));
}
