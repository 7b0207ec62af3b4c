/** Shows hint letters (`f`) over messages, links, files, buttons, reactions and options; typed, they press it. */
import { belowTitle, type Rect } from "../../screen/layout.ts";
import { words } from "../../../text/words.ts";
import { focused } from "../../screen/moves.ts";
import { topPanel, type Focus } from "../../screen/screen.ts";
import { labelsFor, possible, type Hint } from "../../screen/hints.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { messageIn } from "../../screen/selectors.ts";
import { tell } from "../../screen/telling.ts";
import type { SpotName } from "../../render/spots.ts";
import type { Acting } from "./acting.ts";
import { GUTTER } from "./feed/feeds.ts";
import { windowIn, type Lists } from "./list.ts";
import { fillGap, goTo } from "./moving.ts";
import { press } from "./pressing.ts";

type Unlabelled = Omit<Hint, "label">;

/** Spots that have no letters: the message under them has, and its menu leads there. */
const WITHOUT: ReadonlySet<SpotName> = new Set(["person", "about"]);

/** What can be pressed in the rows of a list that are in sight. */
function hintsOf(ports: Lists, place: ThreadRef, rect: Rect) {
  const model = ports.store.get();
  const feed = ports.feeds.feed(model, place, rect.width);
  const { lines } = windowIn(model, ports.feeds, place, rect);
  const found: Unlabelled[] = [];
  const seen = new Set<string>();
  for (const { id, index, row } of lines) {
    if (!feed.stops(index)) continue;
    if (row === feed.headAt(index)) found.push({ place, id, row, x: 0 });
    for (const { name, value, x, row: at } of feed.spotsAt(index)) {
      const key = `${id} ${name} ${value}`;
      // What is wrapped has its letters where it begins.
      if (at !== row || WITHOUT.has(name) || seen.has(key)) continue;
      seen.add(key);
      found.push({ place, id, row, x: x + GUTTER, spot: { name, value } });
    }
  }
  return found;
}

/** All lists in sight, the one with the keys first. */
export function showHints(ports: Acting): void {
  const { screen, layout } = ports.store.get();
  const panel = topPanel(screen);
  const lists: Unlabelled[][] = [];
  if (screen.cid !== undefined && layout.main) lists.push(hintsOf(ports, { cid: screen.cid }, layout.main));
  if (panel?.kind === "thread" && layout.panel)
    lists.push(hintsOf(ports, { cid: panel.cid, parentId: panel.parentId }, belowTitle(layout.panel)));
  if (screen.focus === "panel") lists.reverse();
  const found = lists.flat();
  if (found.length === 0) return tell(ports, words.hinting.none);
  const labels = labelsFor(found.length);
  const all = found.slice(0, labels.length).map((hint, i): Hint => ({ ...hint, label: labels[i]! }));
  ports.store.now((s) => ({ ...s, hints: { typed: "", all } }));
}

export const endHints = ({ store }: Pick<Ports, "store">): void =>
  store.now((s) => ({ ...s, hints: undefined }));

function choose(ports: Acting, { place, id, spot }: Hint): void {
  const message = messageIn(ports.store.state, place, id);
  if (spot && message) return press(ports, message, spot);
  const focus: Focus = place.parentId === undefined ? "messages" : "panel";
  ports.store.now((s) => focused(s, focus));
  goTo(ports, place, id);
  fillGap(ports);
}

/** A key while the letters stand there: they are typed or taken back, anything else ends it. */
export function hintKey(ports: Acting, chord: string, text: string | undefined): void {
  const { hints } = ports.store.screen;
  if (!hints) return;
  const typed = chord === "backspace" ? hints.typed.slice(0, -1) : hints.typed + (text ?? "").toLowerCase();
  const left = possible({ ...hints, typed });
  if ((text === undefined && chord !== "backspace") || left.length === 0) return endHints(ports);
  const [only] = left;
  if (only!.label !== typed) return ports.store.now((s) => ({ ...s, hints: { ...hints, typed } }));
  endHints(ports);
  choose(ports, only!);
}
