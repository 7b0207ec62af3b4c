/** Tracks which channel is on screen, marks it read, and announces when it is closed. */
import type { Bus } from "../base/bus.ts";
import type { ReadMarks } from "./read-marks.ts";

export interface ChannelViewing {
  /** The channel is on screen at its newest message (R-READ-3): throttled, at most one call a second. */
  seen(cid: string): void;
  /** The channel is no longer on screen: releases a held unread mark (R-READ-6). */
  left(cid: string): void;
}

export interface Viewing extends ChannelViewing {
  openCid(): string | undefined;
  reset(): void;
}

export function createViewing({ bus, marks }: { bus: Bus; marks: Pick<ReadMarks, "seen"> }): Viewing {
  let openCid: string | undefined;
  return {
    openCid: () => openCid,
    seen(cid) {
      openCid = cid;
      marks.seen(cid);
    },
    left(cid) {
      if (openCid === cid) openCid = undefined;
      bus.emit("onLeft", cid);
    },
    reset() {
      openCid = undefined;
    },
  };
}
