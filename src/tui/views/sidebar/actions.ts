/** What keys do in the sidebar. */
import { folded } from "../../screen/moves.ts";
import type { Ports } from "../../screen/ports.ts";
import { channelBeside, linesOf, stopBeside } from "./lines.ts";
import { openChannel } from "../../navigation/opening.ts";

export function beside(by: 1 | -1) {
  return (ports: Ports): void => {
    const cid = channelBeside(linesOf(ports.store.get()), ports.store.screen.cid, by);
    if (cid !== undefined) openChannel(ports, cid);
  };
}

export const sidebarStep =
  (by: number) =>
  (ports: Ports): void =>
    ports.store.now((s) => ({
      ...s,
      sidebar: { ...s.sidebar, cursor: stopBeside(linesOf(ports.store.get()), s.sidebar.cursor, by) },
    }));

/** What the views of the sidebar open. */
export type Views = Readonly<Record<"view:inbox" | "view:threads" | "view:drafts", (ports: Ports) => void>>;

export function sidebarOpen(ports: Ports, views: Views): void {
  const line = linesOf(ports.store.get()).find((l) => l.key === ports.store.screen.sidebar.cursor);
  if (line?.kind === "channel") openChannel(ports, line.cid);
  else if (line?.kind === "group") fold(ports, line.group);
  else if (line?.kind === "view") views[line.key](ports);
}

function fold(ports: Ports, group: string): void {
  ports.store.now((s) => folded(s, group));
  ports.core.keep("folded", [...ports.store.screen.sidebar.folded]);
}

/** Space or ← on a line folds the group it stands in. */
export function foldHere(ports: Ports): void {
  const lines = linesOf(ports.store.get());
  const at = lines.findIndex((l) => l.key === ports.store.screen.sidebar.cursor);
  const group = lines.slice(0, at + 1).findLast((l) => l.kind === "group");
  if (!group || group.kind !== "group") return;
  ports.store.now((s) => ({ ...s, sidebar: { ...s.sidebar, cursor: group.key } }));
  fold(ports, group.group);
}
