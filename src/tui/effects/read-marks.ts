/** Decides when messages on the screen count as read. */
import { belowTitle, type Rect } from "../screen/layout.ts";
import { shownSet } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import { panelPlace } from "../screen/screen.ts";
import type { Ports } from "../ports/ports.ts";
import type { Reads } from "../screen/store.ts";
import { PAGE_SLICES } from "./paging.ts";
import { windowIn } from "../views/messages/list.ts";

type Needs = Pick<Ports, "core" | "feeds" | "settings">;

/** The slices that {@link ReadTracker} reads. */
export const READ_SLICES = ["windowFocused", "jumping", ...PAGE_SLICES] as const;

type Input = Reads<(typeof READ_SLICES)[number]>;

export class ReadTracker {
  readonly #ports: Needs;
  /** The channel being read continuously, and its first unread message when that began. */
  #reading: { cid: string; line: string | undefined } | undefined;

  /** The newest reply already marked read in the open thread, so that a thread marked unread by hand stays unread. */
  #readUpTo: string | undefined;

  constructor(ports: Needs) {
    this.#ports = ports;
  }

  /** Call after every change of the model. */
  modelChanged(model: Input): void {
    const { cid } = model.screen;
    const { main } = model.layout;
    if (cid === undefined || !main) this.#reading = undefined;
    else this.#read(model, cid, windowIn(model, this.#ports.feeds, { cid }, main).atEnd);
    const { cid: threadCid, parentId } = panelPlace(model.screen) ?? {};
    if (threadCid !== undefined && parentId !== undefined && model.layout.panel)
      this.#readThread(model, { cid: threadCid, parentId }, belowTitle(model.layout.panel));
    else this.#readUpTo = undefined;
  }

  /** The condition of the setting `readOn`: shown, window focused, answered by the user, or only by key. */
  #countsAsRead({ state, screen }: Input, place: ThreadRef): boolean {
    const { core, settings } = this.#ports;
    if (settings.readOn === "shown") return true;
    if (settings.readOn === "focused") return screen.windowFocused;
    if (settings.readOn === "manual") return false;
    const set = shownSet(state, place);
    return set?.messages.at(set.messages.length - 1)?.user?.id === core.userId;
  }

  /** R-THREAD-3: marks the thread read when it is open at its end. */
  #readThread(model: Input, place: ThreadRef & { parentId: string }, rect: Rect): void {
    const { core, feeds } = this.#ports;
    const set = shownSet(model.state, place);
    const newest = set?.messages.at(set.messages.length - 1)?.id;
    if (newest === undefined || newest === this.#readUpTo || !set?.isLatest || set.hasNext) return;
    if (!this.#countsAsRead(model, place)) return;
    if (!windowIn(model, feeds, place, rect).atEnd) return;
    this.#readUpTo = newest;
    core.threads.seen(place);
  }

  /**
   * R-READ-3: marks the channel read when its newest message is on the screen and the setting's condition holds.
   * Messages that arrive while it is being read, or through a recovery, get no line of new messages.
   */
  #read(model: Input, cid: string, atEnd: boolean): void {
    const { core } = this.#ports;
    const { windowFocused } = model.screen;
    const entry = model.state.channels.get(cid);
    const reading = this.#reading?.cid === cid ? this.#reading : undefined;
    this.#reading = undefined;
    if (!entry || entry.keepsUnread || model.screen.jumping) return;
    // The line is dropped when the window loses focus: the next one goes above the messages that arrive until it returns.
    if (reading && !windowFocused && entry.firstUnreadId === reading.line) core.left(cid);
    if (!atEnd || !this.#countsAsRead(model, { cid })) return;
    const set = shownSet(model.state, { cid });
    if (entry.unread > 0 && set?.isLatest && !set.hasNext) {
      core.seen(cid);
      if (reading && windowFocused && entry.firstUnreadId !== reading.line) core.left(cid);
    }
    // A channel from the cache is not up to date yet: its unread messages arrived while the user was away.
    if (windowFocused && (reading || !entry.stale))
      this.#reading = reading ?? { cid, line: entry.firstUnreadId };
  }
}
