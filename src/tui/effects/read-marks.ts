/** Decides when messages on the screen count as read. */
import { belowTitle, type Rect } from "../screen/layout.ts";
import { shownSet } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import { READ_AFTER } from "../../wire/constants.ts";
import { placeKey } from "../screen/place-key.ts";
import { panelPlace } from "../screen/screen.ts";
import type { Ports } from "../ports/ports.ts";
import type { Reads } from "../screen/store.ts";
import { PAGE_SLICES } from "./paging.ts";
import { windowIn } from "../views/messages/list.ts";

type Needs = Pick<Ports, "core" | "feeds" | "settings" | "clock" | "store">;

/** The slices that {@link ReadTracker} reads. */
export const READ_SLICES = ["windowFocused", "jumping", ...PAGE_SLICES] as const;

type Input = Reads<(typeof READ_SLICES)[number]>;

/** Stands for the end of a list; message ids contain no caret. */
const END = "^end";

/** Since when the messages of a list have been in sight; what leaves it begins again. */
class InSight {
  #key = "";
  #since = new Map<string, number>();

  /** Notes what of a place is in sight now. */
  see(key: string, ids: readonly string[], now: number): void {
    const before = key === this.#key ? this.#since : new Map<string, number>();
    this.#key = key;
    this.#since = new Map(ids.map((id) => [id, before.get(id) ?? now]));
  }
  wasRead(id: string, now: number): boolean {
    const since = this.#since.get(id);
    return since !== undefined && now - since >= READ_AFTER;
  }
  /** When the next of them has been in sight long enough, ms. */
  nextAt(now: number): number {
    const open = [...this.#since.values()].filter((since) => now - since < READ_AFTER);
    return Math.min(...open.map((since) => since + READ_AFTER), Infinity);
  }
}

export class ReadTracker {
  readonly #ports: Needs;
  /** The channel being read continuously, and its first unread message when that began. */
  #reading: { cid: string; line: string | undefined } | undefined;

  /** The newest reply already marked read in the open thread, so that a thread marked unread by hand stays unread. */
  #readUpTo: string | undefined;
  readonly #inChannel = new InSight();
  readonly #inThread = new InSight();
  #timer: unknown;

  constructor(ports: Needs) {
    this.#ports = ports;
  }

  /** Call after every change of the model. */
  modelChanged(model: Input): void {
    const { cid } = model.screen;
    const { main, panel } = model.layout;
    if (cid !== undefined && main) this.#readChannel(model, cid, this.#window(model, { cid }, main));
    else this.#reading = undefined;
    const { cid: threadCid, parentId } = panelPlace(model.screen) ?? {};
    if (threadCid !== undefined && parentId !== undefined && panel) {
      const place = { cid: threadCid, parentId };
      this.#readThread(model, place, this.#window(model, place, belowTitle(panel)));
    } else this.#readUpTo = undefined;
    this.#wait();
  }

  /** The messages whose last row is in sight, and whether the end of all is. */
  #window(model: Input, place: ThreadRef, rect: Rect): string[] {
    const { feeds } = this.#ports;
    const feed = feeds.feed(model, place, rect.width);
    const { lines, atEnd } = windowIn(model, feeds, place, rect);
    const whole = lines.filter(({ index, row }) => row === feed.rowsAt(index).length - 1);
    const set = shownSet(model.state, place);
    const isEnd = atEnd && set?.isLatest === true && !set.hasNext;
    return [...whole.map(({ id }) => id), ...(isEnd ? [END] : [])];
  }

  /** Looks again when the next message has been in sight long enough. */
  #wait(): void {
    const { clock, store } = this.#ports;
    clock.clearTimeout(this.#timer);
    const now = clock.now();
    const next = Math.min(this.#inChannel.nextAt(now), this.#inThread.nextAt(now));
    if (next < Infinity)
      this.#timer = clock.setTimeout(() => this.modelChanged(store.get()), Math.max(0, next - now));
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

  /** R-THREAD-3: marks the thread read when its end has been in sight. */
  #readThread(model: Input, place: ThreadRef & { parentId: string }, ids: readonly string[]): void {
    const { core, clock } = this.#ports;
    const counts = this.#countsAsRead(model, place);
    this.#inThread.see(placeKey(place), counts ? ids : [], clock.now());
    const set = shownSet(model.state, place);
    const newest = set?.messages.at(set.messages.length - 1)?.id;
    if (newest === undefined || newest === this.#readUpTo) return;
    if (!this.#inThread.wasRead(END, clock.now())) return;
    this.#readUpTo = newest;
    core.threads.seen(place);
  }

  /**
   * R-READ-3: marks the channel read as far as its messages have been in sight while the setting's condition held.
   * Messages that arrive while its end is being read, or through a recovery, get no line of new messages.
   */
  #readChannel(model: Input, cid: string, ids: readonly string[]): void {
    const { core, clock } = this.#ports;
    const { windowFocused } = model.screen;
    const entry = model.state.channels.get(cid);
    const reading = this.#reading?.cid === cid ? this.#reading : undefined;
    this.#reading = undefined;
    const counts = entry && !entry.keepsUnread && !model.screen.jumping && this.#countsAsRead(model, { cid });
    this.#inChannel.see(cid, counts ? ids : [], clock.now());
    if (!entry || entry.keepsUnread || model.screen.jumping) return;
    // The line is dropped when the window loses focus: the next one goes above the messages that arrive until it returns.
    if (reading && !windowFocused && entry.firstUnreadId === reading.line) core.endLine(cid);
    if (!counts) return;
    if (!ids.includes(END) || !this.#isEndRead(entry.unread, reading !== undefined))
      return entry.unread > 0 ? this.#readPart(cid, ids) : undefined;
    if (entry.unread > 0) {
      core.seen(cid);
      if (reading && windowFocused && entry.firstUnreadId !== reading.line) core.endLine(cid);
    }
    // A channel from the cache is not up to date yet: its unread messages arrived while the user was away.
    if (windowFocused && (reading || !entry.stale))
      this.#reading = reading ?? { cid, line: entry.firstUnreadId };
  }

  /** What arrives at an end that is being read, or has nothing new, counts at once. */
  #isEndRead(unread: number, isReading: boolean): boolean {
    const { clock, settings } = this.#ports;
    if (isReading || unread === 0 || settings.readOn === "answered") return true;
    return this.#inChannel.wasRead(END, clock.now());
  }

  /** The newest message that has been in sight; those after it stay unread. */
  #readPart(cid: string, ids: readonly string[]): void {
    const now = this.#ports.clock.now();
    const last = ids.findLast((id) => id !== END && this.#inChannel.wasRead(id, now));
    if (last !== undefined) this.#ports.core.seen(cid, last);
  }
}
