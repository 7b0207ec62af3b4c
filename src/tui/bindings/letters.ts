/** Tells keys from a text typed while browsing: which letters act, which wait, and when they move to the box (specification/screen.md §4.2). */
import { words } from "../../text/words.ts";
import { chordsOf, showChord } from "../input/chord.ts";
import { CONFIRM_MS, TYPING_PAUSE_MS } from "../input/pace.ts";
import type { KeyContext } from "../keys/action-table.ts";
import { chordsFor, isWithoutLetters, lookup, type Binding } from "../keys/lookup.ts";
import type { Ports } from "../ports/ports.ts";
import { showNotice } from "../screen/notices.ts";
import { matchingHints } from "../screen/hints.ts";
import { boxOf, browsePlace, type Screen, type TypedLetters } from "../screen/screen.ts";
import { withFocus } from "../screen/transitions.ts";
import { insertText } from "../views/composer/text-actions.ts";
import { letterKind, type LetterKind } from "./letter-kinds.ts";

const isOne = ({ text }: TypedLetters): boolean => chordsOf({ type: "text", text }).length === 1;

/** What has the keys: the focus, and the channel, panels and popups by kind. */
const keysPlace = ({ focus, cid, panels, popups }: Screen): string =>
  [focus, cid, ...panels.map(({ name }) => name), ...popups.map(({ kind }) => kind)].join(" ");

/** Keeps the letters until no further one follows, then does `run`. */
function keepLetters(ports: Ports, letters: TypedLetters, run: () => void = () => {}): void {
  const { store, clock } = ports;
  const kept = { ...letters, place: keysPlace(store.screen) };
  store.update((s) => ({ ...s, typed: kept }));
  const isWaiting = letters.state === "asked" || letters.state === "held";
  clock.setTimeout(
    () => {
      if (store.screen.typed !== kept) return;
      forget(ports);
      run();
    },
    isWaiting ? CONFIRM_MS : TYPING_PAUSE_MS,
  );
}

const forget = ({ store }: Ports): void => store.update((s) => ({ ...s, typed: undefined }));

const actSoon = (ports: Ports, letters: TypedLetters): void =>
  keepLetters(ports, { ...letters, state: "due" }, letters.act);

/** The letters so far with one more. */
function lettersWith(ports: Ports, chord: string, text: string): TypedLetters {
  const { screen } = ports.store;
  const { text: before = "", screen: start = screen } = screen.typed ?? {};
  return { text: before + text, chord, state: "held", screen: start };
}

/** A letter that is bound: moves and shows at once, else waits. `sequence` is a key of several chords, which confirms itself. */
export function pressLetter(
  ports: Ports,
  { chord, text, sequence }: { chord: string; text: string; sequence: boolean },
  binding: Binding,
  act: () => void,
): void {
  const letters = { ...lettersWith(ports, chord, text), binding, act };
  const kind: LetterKind = letterKind(ports.store.get(), binding, ports.core.userId);
  if (kind === "refused") return actSoon(ports, { ...letters, isRefused: true });
  if (kind === "outside" || (kind === "others" && sequence)) return actSoon(ports, letters);
  if (kind === "others") return keepLetters(ports, { ...letters, state: "asked" });
  act();
  keepLetters(ports, { ...letters, state: kind === "moves" ? "moved" : "shown" });
}

/** A hint letter that chose its target; it waits if letters came right before it. */
export function pressHint(ports: Ports, chord: string, text: string, act: () => void): void {
  if (ports.store.screen.typed) actSoon(ports, { ...lettersWith(ports, chord, text), act });
  else act();
}

/** A letter that no key has: the beginning of a text, or its next letter. */
export function holdLetter(ports: Ports, chord: string, text: string): void {
  const { screen } = ports.store;
  const { typed } = screen;
  if (isWithoutLetters(ports.keys) && (screen.focus === "sidebar" || isOfMessages({ screen })))
    return beginText(ports, text);
  // A letter that is on no keyboard of keys, such as é or 好: with it a text has begun.
  if (typed || /[^\0-\x7f]/.test(chord)) moveToBox(ports, typed, text);
  else if (text !== " ")
    keepLetters(ports, lettersWith(ports, chord, text), () =>
      showNotice(
        ports,
        words.acting.noKey(text, showChord(chordsFor(ports.keys, "help", ["browse"])[0] ?? "f1")),
      ),
    );
}

/** Keeps the first chord of a sequence such as `g g`. */
export const holdPrefix = (ports: Ports, chord: string, text: string): void =>
  keepLetters(ports, lettersWith(ports, chord, text));

/** The screen as it was when the letters began, with what they were not about. */
const restored = (now: Screen, { panels, popups, sidebar, views, range, ...at }: Screen) =>
  ({
    ...now,
    panels,
    popups,
    sidebar,
    views,
    range,
    messageDisplay: at.messageDisplay,
    search: at.search,
    jumps: at.jumps,
    hints: undefined,
    pendingKey: undefined,
    typed: undefined,
  }) as Screen;

/** Puts the letters into the box as a text, and takes back what they have shown. Enter does not send them at once. */
function moveToBox(ports: Ports, letters: TypedLetters | undefined, text: string): void {
  const { store, boxes } = ports;
  const before = letters?.screen ?? store.screen;
  const { place } = boxes;
  if (boxes.at().quote && !boxOf(before, place).quote) boxes.change((composer) => composer.quote(undefined));
  store.update((s) => withFocus(restored(s, before), "composer"));
  if (boxes.place && boxes.place.parentId !== place?.parentId) boxes.open(boxes.place);
  insertText(ports, (letters?.text ?? "") + text);
  store.update((s) => ({ ...s, enterHeld: true }));
}

/** A text that can be nothing else: it goes to the box, and Enter sends it. */
function beginText(ports: Ports, text: string): void {
  ports.store.update((s) => withFocus(s, "composer"));
  insertText(ports, text);
}

/** Whether a letter after a key is for what that key has opened, however fast it comes. */
function isForOpened(ports: Ports, letters: TypedLetters, text: string, chord: string): boolean {
  const { hints } = ports.store.screen;
  switch (letters.binding) {
    case "writeCommand":
    case "sidebarFilter":
      return true;
    case "jump":
      return /[\p{L}\p{N}]/u.test(text);
    case "remind":
      return /\d/.test(text) || !isOfMessages(letters);
    case "hints":
      return hints !== undefined && matchingHints({ ...hints, typed: hints.typed + chord }).length > 0;
    case "write":
      // In Vim, i and a are how one writes; but no text begins with a blank or an apostrophe, and no word goes on with a slash.
      if (text === "/" && isOne(letters)) return true;
      // In another alphabet a word may well begin so: nothing of it may be lost.
      return (
        Object.keys(ports.keys.normal).length > 0 && isOne(letters) && /^[^\s'\x80-\u{10ffff}]+$/u.test(text)
      );
    default:
      return !isOfMessages(letters);
  }
}

/** Whether the letters began over messages, where an answer is typed. */
const isOfMessages = ({ screen }: Pick<TypedLetters, "screen">): boolean =>
  screen.focus === "messages" || (screen.focus === "panel" && browsePlace(screen) !== undefined);

/** The next letter: true if these letters took it. */
function nextLetter(
  ports: Ports,
  letters: TypedLetters,
  contexts: readonly KeyContext[],
  chord: string,
  text: string,
): boolean {
  const { pendingKey } = ports.store.screen;
  // Also where the first letter asked nothing, since it is refused: who presses a letter twice by habit, or Enter after it, writes no text.
  if ((letters.state === "asked" || letters.isRefused) && letters.chord === chord) {
    actSoon(ports, { ...lettersWith(ports, chord, text), act: letters.act });
    return true;
  }
  if (letters.state === "moved") return false;
  if (letters.state === "held" && pendingKey !== undefined)
    if (lookup(ports.keys, contexts, chord, pendingKey).kind !== "none") return false;
  if (letters.state === "shown" && isForOpened(ports, letters, text, chord)) {
    if (letters.binding !== "hints") forget(ports);
    return false;
  }
  moveToBox(ports, letters, text);
  return true;
}

/** Any other key after the letters: Enter confirms one letter and ends a text, Esc and Backspace take a waiting one back. */
function endLetters(ports: Ports, letters: TypedLetters, chord: string): boolean {
  const { state, act } = letters;
  const confirms = chord === "enter" && (state === "asked" || letters.isRefused === true) && isOne(letters);
  if (chord === "enter" && state !== "moved" && !confirms) {
    moveToBox(ports, letters, "");
    return true;
  }
  forget(ports);
  const waits = state === "asked" || state === "due" || state === "held";
  if (waits && (chord === "backspace" || (chord === "esc" && state !== "held"))) {
    ports.store.update((s) => ({ ...s, pendingKey: undefined }));
    return true;
  }
  if (state === "due" || confirms) act?.();
  return confirms;
}

/** Gives an event to the letters typed before it; `text` is undefined for a key that types none. True if they took it. */
export function continueLetters(
  ports: Ports,
  contexts: readonly KeyContext[],
  chord: string,
  text: string | undefined,
): boolean {
  const letters = ports.store.screen.typed;
  if (!letters) return false;
  // An answer of the provider, or a click, gave the keys to something else.
  if (letters.place !== keysPlace(ports.store.screen)) {
    forget(ports);
    if (letters.state === "due") letters.act?.();
    return false;
  }
  return text === undefined
    ? endLetters(ports, letters, chord)
    : nextLetter(ports, letters, contexts, chord, text);
}
