/** Tracks which channel is on screen, marks it read, and announces when it is closed. */
import type { Bus } from "../base/bus.ts";
import type { StateMachine } from "../state/machine.ts";
import type { ReadMarks } from "./read-marks.ts";

export interface ChannelViewing {
  /** The channel has been read to its newest message, or up to this one (R-READ-3): throttled, at most one call a second. */
  seen(cid: string, messageId?: string): void;
  /** The channel is no longer on screen: releases a held unread mark (R-READ-6). */
  left(cid: string): void;
  /** Ends the line of new messages and releases a held unread mark (R-READ-6), while the channel stays on screen with what is being written there. */
  endLine(cid: string): void;
  /** Keeps more of the loaded messages while somebody reads older ones, so that new ones do not push them out (R-SET-13). */
  hold(cid: string, on: boolean): void;
}

export interface Viewing extends ChannelViewing {
  openCid(): string | undefined;
  reset(): void;
}

export function createViewing({
  bus,
  marks,
  machine,
}: {
  bus: Bus;
  marks: Pick<ReadMarks, "seen" | "onLeft">;
  machine: Pick<StateMachine, "apply">;
}): Viewing {
  let openCid: string | undefined;
  return {
    openCid: () => openCid,
    seen(cid, messageId) {
      openCid = cid;
      marks.seen(cid, messageId);
    },
    left(cid) {
      if (openCid === cid) openCid = undefined;
      bus.emit("onLeft", cid);
    },
    endLine: (cid) => marks.onLeft(cid),
    hold: (cid, on) => machine.apply({ kind: "held", cid, on }),
    reset() {
      openCid = undefined;
    },
  };
}
