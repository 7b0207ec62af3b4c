/** Opening channels and panels from wherever one is. */
import { listed, waiting } from "../../model/channels.ts";
import { words } from "../../text/words.ts";
import { opened, panelPushed } from "../screen/moves.ts";
import type { Panel } from "../screen/screen.ts";
import type { Ports } from "../screen/ports.ts";
import { attempt, tell } from "../screen/telling.ts";

/** Opens a channel in the middle: what is held is on screen at once, the rest comes with the watch. */
export function openChannel(ports: Pick<Ports, "core" | "store" | "boxes">, cid: string): void {
  const { core, store, boxes } = ports;
  const before = store.screen.cid;
  if (before !== undefined && before !== cid) core.left(before);
  store.now((screen) => opened(screen, cid));
  boxes.open({ cid });
  core.keep("channel", cid);
  // A quote that the draft names may be held only now.
  if (!store.state.channels.get(cid)?.watched)
    attempt(
      ports,
      core.watch(cid).then(() => boxes.sync({ cid })),
    );
}

/** Mentions first, then direct, then the rest; after the last, back to where the round began. */
export function nextUnread(ports: Ports): void {
  const { cid, roundFrom } = ports.store.screen;
  const next = waiting(ports.store.state, ports.store.get().now).find((e) => e.cid !== cid);
  if (next) {
    ports.store.now((s) => ({ ...s, roundFrom: s.roundFrom ?? s.cid }));
    return openChannel(ports, next.cid);
  }
  ports.store.now((s) => ({ ...s, roundFrom: undefined }));
  if (roundFrom !== undefined && roundFrom !== cid) openChannel(ports, roundFrom);
  else tell(ports, words.notices.nothingNew);
}

export function openPinned(n: number) {
  return (ports: Ports): void => {
    const entry = listed(ports.store.state).filter(
      (e) => e.membership?.pinned_at && !e.membership.archived_at,
    )[n - 1];
    if (entry) openChannel(ports, entry.cid);
    else tell(ports, `There is no pinned channel ${n}.`);
  };
}

export function lastChannel(ports: Ports): void {
  const { lastCid } = ports.store.screen;
  if (lastCid !== undefined && ports.store.state.channels.get(lastCid)) openChannel(ports, lastCid);
}

export function openPanel(ports: Ports, panel: Panel): void {
  ports.store.now((s) => panelPushed(s, panel));
  if (panel.kind !== "thread") return;
  ports.boxes.open({ cid: panel.cid, parentId: panel.parentId });
  attempt(ports, ports.core.openThread(panel.cid, panel.parentId));
}
