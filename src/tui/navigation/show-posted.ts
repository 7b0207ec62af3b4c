/** Shows what the user has just posted, whether from the box, a form or a command. */
import type { ThreadRef } from "../../model/state.ts";
import { shownSet } from "../../model/select.ts";
import type { Ports } from "../ports/ports.ts";
import { attempt } from "../screen/notices.ts";
import { uncovered, withScroll } from "../screen/transitions.ts";

/** Posting counts as having read the channel: removes the line of new messages, and shows the newest ones, which no panel covers. */
export function showPosted({ core, store }: Pick<Ports, "core" | "store">, place: ThreadRef): void {
  store.update((s) => withScroll(uncovered(s, place), place, {}));
  if (place.parentId === undefined) core.endLine(place.cid);
  const set = shownSet(store.state, place);
  if (set && !set.isLatest) attempt({ core }, core.backToLatest(place));
}
