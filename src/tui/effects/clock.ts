/** Redraws the screen when the passing of time changes what it shows. */
import type { Ports } from "../ports/ports.ts";
import { countsDown } from "../views/composer/composer-note.ts";
import { openPanelIn } from "../ports/panels.ts";
import { withoutExpiredOffers } from "../ports/take-back.ts";

const minute = (ms: number): number => Math.floor(ms / 60_000);

/** Called every second; schedules a redraw each minute, or each second while something counts down. */
export function redrawOnTick(
  { store, feeds, clock }: Pick<Ports, "store" | "feeds" | "clock">,
  now: number,
): void {
  store.update((s) => withoutExpiredOffers(s, clock.now()), false);
  const { locations } = store.get().lists;
  const sharing = locations.tracked.length + locations.elsewhere.length > 0;
  const showsLive = sharing || openPanelIn(store.screen)?.of.ticks === true;
  const countsDownNow =
    showsLive || store.state.link.phase === "waiting" || now >= feeds.changesAt || countsDown(store.get());
  if (countsDownNow || minute(now) !== minute(store.get().now)) store.scheduleUpdate();
}
