/** Which channel is on screen: reading it is marked, and its composer hears when it is left. */
import type { Bus } from "../base/bus.ts";
import type { ReadMarks } from "./read-marks.ts";

export interface ChannelViewing {
  /** The channel is on screen at its newest message (R-READ-3): throttled, at most one call a second. */
  seen(cid: string): void;
  /** The user looks elsewhere: a held unread mark is released (R-READ-6). */
  left(cid: string): void;
}

export interface Viewing extends ChannelViewing {
  openCid(): string | undefined;
  /** The user is gone. */
  forget(): void;
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
      bus.tell("left", cid);
    },
    forget() {
      openCid = undefined;
    },
  };
}
