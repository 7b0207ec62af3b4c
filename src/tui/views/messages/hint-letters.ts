/** Shows hint letters (`f`) over messages, links, files, buttons, reactions and options; typing them activates the target. */
import { belowTitle, type Rect } from "../../screen/layout.ts";
import { words } from "../../../text/words.ts";
import { withFocus } from "../../screen/transitions.ts";
import { panelPlace, type Focus } from "../../screen/screen.ts";
import { labelsFor, matchingHints, type Hint } from "../../screen/hints.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { messageIn } from "../../screen/selectors.ts";
import { showNotice } from "../../screen/notices.ts";
import type { SpotName } from "../../render/spots.ts";
import type { MessagePorts } from "./with-message.ts";
import { GUTTER } from "./feed/feeds.ts";
import { windowIn, type ListPorts } from "./list.ts";
import { fillGap, moveCursorTo } from "./navigation.ts";
import { press } from "./press.ts";

type UnlabelledHint = Omit<Hint, "label">;

/** Spots without letters: the menu of their message offers the same. */
const WITHOUT_LETTERS: ReadonlySet<SpotName> = new Set(["person", "about"]);

/** Everything that can be pressed in the visible rows of a list. */
function hintsOf(ports: ListPorts, place: ThreadRef, rect: Rect) {
  const model = ports.store.get();
  const feed = ports.feeds.feed(model, place, rect.width);
  const { lines } = windowIn(model, ports.feeds, place, rect);
  const hints: UnlabelledHint[] = [];
  const seen = new Set<string>();
  for (const { id, index, row } of lines) {
    if (!feed.isSelectable(index)) continue;
    if (row === feed.messageSpanAt(index).from) hints.push({ place, id, row, x: 0 });
    for (const { name, value, x, row: at } of feed.spotsAt(index)) {
      const key = `${id} ${name} ${value}`;
      // A wrapped spot gets its letters on its first row.
      if (at !== row || WITHOUT_LETTERS.has(name) || seen.has(key)) continue;
      seen.add(key);
      hints.push({ place, id, row, x: x + GUTTER, spot: { name, value } });
    }
  }
  return hints;
}

/** Labels all visible lists, the focused one first. */
export function showHints(ports: MessagePorts): void {
  const { screen, layout } = ports.store.get();
  const place = panelPlace(screen);
  const lists: UnlabelledHint[][] = [];
  if (screen.cid !== undefined && layout.main) lists.push(hintsOf(ports, { cid: screen.cid }, layout.main));
  if (place && layout.panel) lists.push(hintsOf(ports, place, belowTitle(layout.panel)));
  if (screen.focus === "panel") lists.reverse();
  const hints = lists.flat();
  if (hints.length === 0) return showNotice(ports, words.hinting.none);
  const labels = labelsFor(hints.length);
  const all = hints.slice(0, labels.length).map((hint, i): Hint => ({ ...hint, label: labels[i]! }));
  ports.store.update((s) => ({ ...s, hints: { typed: "", all } }));
}

export const endHints = ({ store }: Pick<Ports, "store">): void =>
  store.update((s) => ({ ...s, hints: undefined }));

function activate(ports: MessagePorts, { place, id, spot }: Hint): void {
  const message = messageIn(ports.store.state, place, id);
  if (spot && message) return press(ports, message, spot);
  const focus: Focus = place.parentId === undefined ? "messages" : "panel";
  ports.store.update((s) => withFocus(s, focus));
  moveCursorTo(ports, place, id);
  fillGap(ports);
}

/** Handles a key while hint letters are shown: a letter or Backspace; any other key ends the hints. Returns what the chosen target does. */
export function hintKey(
  ports: MessagePorts,
  chord: string,
  text: string | undefined,
): (() => void) | undefined {
  const { hints } = ports.store.screen;
  if (!hints) return undefined;
  const typed =
    chord === "backspace"
      ? hints.typed.slice(0, -1)
      : hints.typed + (text === undefined ? "" : chord.toLowerCase());
  const matching = matchingHints({ ...hints, typed });
  const [only] = matching;
  if ((text === undefined && chord !== "backspace") || !only) return void endHints(ports);
  if (only.label !== typed) return void ports.store.update((s) => ({ ...s, hints: { ...hints, typed } }));
  endHints(ports);
  return () => activate(ports, only);
}
