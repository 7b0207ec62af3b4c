/** What keys do in the sidebar. */
import { folded } from "../../screen/moves.ts";
import type { Ui } from "../../ui.ts";
import { channelBeside, linesOf, stopBeside } from "./lines.ts";

export function beside(by: 1 | -1) {
  return (ui: Ui): void => {
    const cid = channelBeside(linesOf(ui.model), ui.screen.cid, by);
    if (cid !== undefined) ui.open(cid);
  };
}

export const sidebarStep =
  (by: number) =>
  (ui: Ui): void =>
    ui.change((s) => ({
      ...s,
      sidebar: { ...s.sidebar, cursor: stopBeside(linesOf(ui.model), s.sidebar.cursor, by) },
    }));

/** What the views of the sidebar open. */
export type Views = Readonly<Record<"view:inbox" | "view:threads" | "view:drafts", (ui: Ui) => void>>;

export function sidebarOpen(ui: Ui, views: Views): void {
  const line = linesOf(ui.model).find((l) => l.key === ui.screen.sidebar.cursor);
  if (line?.kind === "channel") ui.open(line.cid);
  else if (line?.kind === "group") fold(ui, line.group);
  else if (line?.kind === "view") views[line.key](ui);
}

function fold(ui: Ui, group: string): void {
  ui.change((s) => folded(s, group));
  ui.core.keep("folded", [...ui.screen.sidebar.folded]);
}

/** Space or ← on a line folds the group it stands in. */
export function foldHere(ui: Ui): void {
  const lines = linesOf(ui.model);
  const at = lines.findIndex((l) => l.key === ui.screen.sidebar.cursor);
  const group = lines.slice(0, at + 1).findLast((l) => l.kind === "group");
  if (!group || group.kind !== "group") return;
  ui.change((s) => ({ ...s, sidebar: { ...s.sidebar, cursor: group.key } }));
  fold(ui, group.group);
}
