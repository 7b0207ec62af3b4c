/** What the time alone changes. */
import type { Ports } from "../screen/ports.ts";

const minute = (ms: number): number => Math.floor(ms / 60_000);

/** A second has passed: drawn anew where that changes the picture. */
export function passed({ store, feeds }: Pick<Ports, "store" | "feeds">, now: number): void {
  const counts = store.state.link.phase === "waiting" || now >= feeds.changesAt;
  if (counts || minute(now) !== minute(store.get().now)) store.later();
}
