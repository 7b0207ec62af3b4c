/** Redraws the screen when the passing of time changes what it shows. */
import type { Ports } from "../ports/ports.ts";
import { countsDown } from "../views/composer/composer-context.ts";
import { openPanelIn } from "../ports/panels.ts";
import { withoutExpiredOffers } from "../ports/take-back.ts";
import { seenFromOther } from "../screen/halves.ts";
import type { Slice, StoreClock } from "../screen/store.ts";

const SECOND = 1000;
const MINUTE = 60_000;

type Needs = Pick<Ports, "store" | "feeds" | "clock">;

/** Whether something that is shown counts seconds. */
function showsSeconds({ store }: Pick<Needs, "store">): boolean {
  const { locations } = store.get().lists;
  const sharing = locations.tracked.length + locations.elsewhere.length > 0;
  const showsLive = sharing || openPanelIn(store.screen)?.of.ticks === true;
  return (
    showsLive ||
    store.state.link.phase === "waiting" ||
    store.screen.notLoaded !== undefined ||
    countsDown(store.get()) ||
    (store.screen.other !== undefined && countsDown(seenFromOther(store.get())))
  );
}

/** Removes offers that have expired, and schedules a redraw if what is shown differs at this time. */
export function redrawOnTick(ports: Needs, now: number): void {
  const { store, feeds, clock } = ports;
  store.update((s) => withoutExpiredOffers(s, clock.now()), false);
  const isNextMinute = Math.floor(now / MINUTE) !== Math.floor(store.get().now / MINUTE);
  if (isNextMinute || now >= feeds.changesAt || showsSeconds(ports)) store.scheduleUpdate();
}

/** When the passing of time next changes what is shown: each second while one is counted, else at least each minute; ms, whole seconds. */
function nextChange(ports: Needs, now: number): number {
  const { store, feeds } = ports;
  const ends = store.screen.takeBacks.map(({ until }) => until);
  const period = showsSeconds(ports) ? SECOND : MINUTE;
  const next = Math.min((Math.floor(now / period) + 1) * period, feeds.changesAt, ...ends);
  return Math.ceil(next / SECOND) * SECOND;
}

/** After a change of these, time may change something else next. */
export const CLOCK_SLICES: ReadonlySet<Slice> = new Set([
  "state",
  "lists",
  "now",
  "cid",
  "panels",
  "takeBacks",
  "layout",
]);

/** Redraws at the next time at which something changes; returns a function to call after changes, and how to stop. */
export function redrawInTime(ports: Needs): { changed(): void; stop(): void } {
  const { clock } = ports;
  let timer: unknown;
  let due: number | undefined;
  const changed = (): void => {
    const now = clock.now();
    const next = nextChange(ports, now);
    if (next === due) return;
    clock.clearTimeout(timer);
    due = next;
    timer = clock.setTimeout(tick, Math.max(0, next - now));
  };
  const tick = (): void => {
    due = undefined;
    redrawOnTick(ports, clock.now());
    changed();
  };
  return { changed, stop: () => clock.clearTimeout(timer) };
}

/** Runs each second while it is switched on; returns the switch. */
export function eachSecond(clock: StoreClock, run: () => void): (on: boolean) => void {
  let timer: unknown;
  const wait = (): void => {
    timer = clock.setTimeout(() => {
      wait();
      run();
    }, SECOND);
  };
  return (on) => {
    if (on === (timer !== undefined)) return;
    clock.clearTimeout(timer);
    timer = undefined;
    if (on) wait();
  };
}
