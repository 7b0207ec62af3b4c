/** What the screen does unasked while somebody looks at it: read marks, paging, the title and desktop notices. */
import type { State, ThreadRef } from "../model/state.ts";
import { cleanLine } from "../text/sanitize.ts";
import type { AnyEvent } from "../wire/events.ts";
import type { Message } from "../wire/message.ts";
import { timeToMs } from "../wire/time.ts";
import type { FeedWindow } from "./views/messages/feed.ts";
import type { Picture } from "./picture.ts";
import { channelTitle, isDirect, isMuted, userName } from "../model/channels.ts";
import { topPanel } from "./screen/screen.ts";
import { shownSet } from "../model/select.ts";
import { memoLast } from "./screen/store.ts";
import type { Model } from "./screen/store.ts";
import type { Ui } from "./ui.ts";

/** Blocks left above or below the window when the next page is asked for. */
const AHEAD = 5;

/** `(3) #general · Parley`: unread channels that are not muted. Cleaned again where it becomes bytes. */
export function titleOf(state: State, cid: string | undefined, now: number, me: string | undefined): string {
  const entry = cid === undefined ? undefined : state.channels.get(cid);
  let unread = 0;
  for (const e of state.channels.values())
    if (e.unread > 0 && !e.hidden && !e.membership?.archived_at && !isMuted(state, e.cid, now))
      unread += e.unread;
  const where = entry ? `${channelTitle(entry, me)} · Parley` : "Parley";
  return unread > 0 ? `(${unread}) ${where}` : where;
}

/** Do-not-disturb is on: no notice of any kind (specification/screen.md §7). */
export function isQuiet(state: State, now: number): boolean {
  const until = state.me?.push_preferences?.disabled_until;
  return until !== undefined && timeToMs(until) > now;
}

export class Effects {
  readonly #ui: Ui;
  readonly #picture: Picture;
  /** Sets whose next page was asked for: once each, whatever came of it; the gap row asks again. */
  readonly #asked = { older: new WeakSet<object>(), newer: new WeakSet<object>() };
  /** The channel somebody reads as it goes on, and the line of new messages that it had then. */
  #reading: { cid: string; line: string | undefined } | undefined;

  constructor(ui: Ui, picture: Picture) {
    this.#ui = ui;
    this.#picture = picture;
  }

  /** After every change of the snapshot. */
  look(model: Model): void {
    const { screen } = model;
    const main = this.#picture.main(model);
    if (screen.cid !== undefined && main) {
      const place = { cid: screen.cid };
      this.#read(model, place, main.feed.window);
      this.#page(model, place, main.feed.window);
    } else this.#reading = undefined;
    const panel = topPanel(screen);
    const thread = this.#picture.threadWindow(model);
    if (panel?.kind === "thread" && thread)
      this.#page(model, { cid: panel.cid, parentId: panel.parentId }, thread.window);
    this.#title(model.state, screen.cid, Math.floor(model.now / 60_000));
  }

  readonly #title = memoLast((state: State, cid: string | undefined, minute: number): void =>
    this.#ui.ports.setTitle(titleOf(state, cid, minute * 60_000, this.#ui.core.userId)),
  );

  /**
   * R-READ-3: on screen at its newest message; `focused` wants the window's focus too, `manual` a key.
   * What comes while it is read gets no line above it, nor what a recovery brings to it.
   */
  #read(model: Model, place: ThreadRef, window: FeedWindow): void {
    const { readOn } = this.#ui.ports;
    const { core } = this.#ui;
    const { windowFocused } = model.screen;
    const { cid } = place;
    const entry = model.state.channels.get(cid);
    const readingOn = this.#reading?.cid === cid ? this.#reading : undefined;
    this.#reading = undefined;
    if (!entry || entry.heldUnread) return;
    // The line has done its work when the window is left: the next one belongs above what comes until the return.
    if (readingOn && !windowFocused && entry.firstUnreadId === readingOn.line) core.left(cid);
    if (readOn === "manual" || (readOn === "focused" && !windowFocused) || !window.atEnd) return;
    const set = shownSet(model.state, place);
    if (entry.unread > 0 && set?.isLatest && !set.hasNext) {
      core.seen(cid);
      if (readingOn && windowFocused && entry.firstUnreadId !== readingOn.line) core.left(cid);
    }
    // What the cache shows has not caught up yet: what is unread then came while nobody was here.
    if (windowFocused && (readingOn || !entry.stale))
      this.#reading = readingOn ?? { cid, line: entry.firstUnreadId };
  }

  /** The next page before its edge is reached (R-SET-15 refuses what would be double). */
  #page(model: Model, place: ThreadRef, window: FeedWindow): void {
    const set = shownSet(model.state, place);
    const first = window.lines[0];
    const last = window.lines.at(-1);
    if (!set || !first || !last || set.loading) return;
    const silent = (work: Promise<unknown>): void => void work.catch(() => {});
    if (set.hasPrev && first.index <= AHEAD && !this.#asked.older.has(set.messages)) {
      this.#asked.older.add(set.messages);
      silent(this.#ui.core.loadOlder(place));
    } else if (
      set.hasNext &&
      last.index >= set.messages.length - AHEAD &&
      !this.#asked.newer.has(set.messages)
    ) {
      this.#asked.newer.add(set.messages);
      silent(this.#ui.core.loadNewer(place));
    }
  }

  /** A message that came: a desktop notice when nobody looks, never for muted channels (specification/screen.md §7). */
  heard(event: AnyEvent): void {
    const { ports, state, screen, model } = this.#ui;
    const message = (event as { message?: Message }).message;
    const cid = event.cid ?? message?.cid;
    const me = this.#ui.core.userId;
    if (
      !message ||
      cid === undefined ||
      message.user?.id === me ||
      message.silent ||
      message.type === "system"
    )
      return;
    if (screen.windowFocused || ports.notifications === "off") return;
    const entry = state.channels.get(cid);
    if (!entry || isMuted(state, cid, model.now) || isQuiet(state, model.now)) return;
    const mentioned = message.mentioned_users?.some((u) => u.id === me) ?? false;
    const wanted =
      ports.notifications === "all" || mentioned || (ports.notifications === "direct" && isDirect(entry));
    if (wanted)
      ports.notify(`${userName(message.user)} · ${channelTitle(entry, me)}`, cleanLine(message.text));
  }
}
