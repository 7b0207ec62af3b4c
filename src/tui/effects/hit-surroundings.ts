/** Asks once for the messages around a found one when the cursor of the search rests on it (specification/screen.md §4.1). */
import { latestSet } from "../../model/select.ts";
import { SUGGESTION_DEBOUNCE } from "../../wire/constants.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { Ports } from "../ports/ports.ts";
import { belowTitle } from "../screen/layout.ts";
import { topPanelOf } from "../screen/screen.ts";
import { SEARCH } from "../screen/search.ts";
import type { Reads } from "../screen/store.ts";
import { placeOf } from "../views/messages/jump.ts";
import { selectedHit } from "../views/search/lines.ts";
import { surroundingsHeight, surroundingsOf } from "../views/search/surroundings.ts";

/** What makes {@link surroundingsLoader} run: not each message that arrives, which changes nothing but what is asked for. */
export const SURROUNDINGS_SLICES = ["search", "panels", "layout"] as const;

/** The result whose surroundings have room and are not loaded. */
function missing({
  state,
  screen,
  layout,
}: Reads<"state" | "search" | "panels" | "layout">): Message | undefined {
  if (!topPanelOf(screen, SEARCH) || !layout.panel) return undefined;
  if (surroundingsHeight(belowTitle(layout.panel), screen.search) === 0) return undefined;
  const hit = selectedHit(state, screen.search);
  if (!hit || surroundingsOf(state, hit)?.isWhole) return undefined;
  // A channel that is not loaded takes no page.
  return latestSet(state, { cid: hit.cid }) ? hit : undefined;
}

/** Returns a function to call after every change of the model. */
export function surroundingsLoader({
  core,
  store,
  clock,
}: Pick<Ports, "core" | "store" | "clock">): () => void {
  /** While the search is open; also those that failed, which the user can go to. */
  const asked = new Set<string>();
  let waiting: string | undefined;
  let timer: unknown;
  const ask = (): void => {
    const hit = missing(store.get());
    waiting = undefined;
    if (!hit || asked.has(hit.id)) return;
    asked.add(hit.id);
    core.loadAround(placeOf(hit), hit.id).catch(() => {});
  };
  return () => {
    const model = store.get();
    const isOpen = topPanelOf(model.screen, SEARCH) !== undefined;
    if (!isOpen) asked.clear();
    const hit = isOpen ? missing(model) : undefined;
    const next = hit && !asked.has(hit.id) ? hit.id : undefined;
    if (next === waiting) return;
    clock.clearTimeout(timer);
    waiting = next;
    if (next !== undefined) timer = clock.setTimeout(ask, SUGGESTION_DEBOUNCE);
  };
}
