/** Loads the next page of messages before scrolling reaches its end. */
import { belowTitle, type Rect } from "../screen/layout.ts";
import { shownSet } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { Ports } from "../ports/ports.ts";
import { panelPlace } from "../screen/screen.ts";
import type { Reads } from "../screen/store.ts";
import { FEED_SLICES } from "../views/messages/feed/feeds.ts";
import { windowIn } from "../views/messages/list.ts";

/** The next page is requested when fewer messages than this are left above or below the window. */
const PAGE_AHEAD = 5;

type Needs = Pick<Ports, "core" | "feeds">;

/** The slices that {@link Paging} reads. */
export const PAGE_SLICES = ["layout", "cid", "other", "panels", "views", ...FEED_SLICES] as const;

type Input = Reads<(typeof PAGE_SLICES)[number]>;

export class Paging {
  readonly #ports: Needs;
  /** Message sets whose next page was requested: once each, also if it failed; the gap row lets the user retry. */
  readonly #requested = { older: new WeakSet<object>(), newer: new WeakSet<object>() };

  constructor(ports: Needs) {
    this.#ports = ports;
  }

  /** Call after every change of the model. */
  modelChanged(model: Input): void {
    const { screen, layout } = model;
    if (screen.cid !== undefined && layout.main) this.#page(model, { cid: screen.cid }, layout.main);
    if (screen.other && layout.other) this.#page(model, { cid: screen.other.cid }, layout.other.main);
    const place = panelPlace(screen);
    if (place && layout.panel) this.#page(model, place, belowTitle(layout.panel));
  }

  /** R-SET-15: core refuses a second request for the same page. */
  #page(model: Input, place: ThreadRef, rect: Rect): void {
    const { core, feeds } = this.#ports;
    const set = shownSet(model.state, place);
    if (!set || set.loading || (!set.hasPrev && !set.hasNext)) return;
    const { lines } = windowIn(model, feeds, place, rect);
    const [first, last] = [lines[0], lines.at(-1)];
    if (!first || !last) return;
    const { older, newer } = this.#requested;
    const ignoreFailure = (work: Promise<unknown>): void => void work.catch(() => {});
    if (set.hasPrev && first.index <= PAGE_AHEAD && !older.has(set.messages)) {
      older.add(set.messages);
      ignoreFailure(core.loadOlder(place));
    } else if (set.hasNext && last.index >= set.messages.length - PAGE_AHEAD && !newer.has(set.messages)) {
      newer.add(set.messages);
      ignoreFailure(core.loadNewer(place));
    }
  }
}
