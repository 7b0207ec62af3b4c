/** Decides when messages on the screen count as read. */
import { belowTitle, type Rect } from "../screen/layout.ts";
import { shownSet } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import { topPanel } from "../screen/screen.ts";
import type { Ports } from "../ports/ports.ts";
import type { Model } from "../screen/store.ts";
import { windowIn } from "../views/messages/list.ts";

type Needs = Pick<Ports, "core" | "feeds" | "settings">;

export class ReadTracker {
  readonly #ports: Needs;
  /** The channel somebody reads as it goes on, and the line of new messages that it had then. */
  #reading: { cid: string; line: string | undefined } | undefined;

  /** The newest reply that was marked read as it stood in the panel: a thread marked unread by hand stays so. */
  #readUpTo: string | undefined;

  constructor(ports: Needs) {
    this.#ports = ports;
  }

  /** After every change of the snapshot. */
  look(model: Model): void {
    const { cid } = model.screen;
    const { main } = model.layout;
    if (cid === undefined || !main) this.#reading = undefined;
    else this.#read(model, cid, windowIn(model, this.#ports.feeds, { cid }, main).atEnd);
    const panel = topPanel(model.screen);
    if (panel?.kind === "thread" && model.layout.panel)
      this.#readThread(model, { cid: panel.cid, parentId: panel.parentId }, belowTitle(model.layout.panel));
    else this.#readUpTo = undefined;
  }

  /** What the setting asks for beside being shown: the focus of the window, an own answer as the newest, or a key. */
  #counts({ state, screen }: Model, place: ThreadRef): boolean {
    const { core, settings } = this.#ports;
    if (settings.readOn === "shown") return true;
    if (settings.readOn === "focused") return screen.windowFocused;
    if (settings.readOn === "manual") return false;
    const set = shownSet(state, place);
    return set?.messages.at(set.messages.length - 1)?.user?.id === core.userId;
  }

  /** R-THREAD-3: the thread is open at its end. */
  #readThread(model: Model, place: ThreadRef & { parentId: string }, rect: Rect): void {
    const { core, feeds } = this.#ports;
    const set = shownSet(model.state, place);
    const newest = set?.messages.at(set.messages.length - 1)?.id;
    if (newest === undefined || newest === this.#readUpTo || !set?.isLatest || set.hasNext) return;
    if (!this.#counts(model, place)) return;
    if (!windowIn(model, feeds, place, rect).atEnd) return;
    this.#readUpTo = newest;
    core.threads.seen(place);
  }

  /**
   * R-READ-3: on screen at its newest message, and whatever else the setting asks for.
   * What comes while it is read gets no line above it, nor what a recovery brings to it.
   */
  #read(model: Model, cid: string, atEnd: boolean): void {
    const { core } = this.#ports;
    const { windowFocused } = model.screen;
    const entry = model.state.channels.get(cid);
    const readingOn = this.#reading?.cid === cid ? this.#reading : undefined;
    this.#reading = undefined;
    if (!entry || entry.heldUnread || model.screen.jumping) return;
    // The line has done its work when the window is left: the next one belongs above what comes until the return.
    if (readingOn && !windowFocused && entry.firstUnreadId === readingOn.line) core.left(cid);
    if (!atEnd || !this.#counts(model, { cid })) return;
    const set = shownSet(model.state, { cid });
    if (entry.unread > 0 && set?.isLatest && !set.hasNext) {
      core.seen(cid);
      if (readingOn && windowFocused && entry.firstUnreadId !== readingOn.line) core.left(cid);
    }
    // What the cache shows has not caught up yet: what is unread then came while nobody was here.
    if (windowFocused && (readingOn || !entry.stale))
      this.#reading = readingOn ?? { cid, line: entry.firstUnreadId };
  }
}
