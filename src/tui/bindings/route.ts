/** Routes each input event: finds the contexts that receive keys, looks up chords there, and inserts text. */
import { listedChannels } from "../../model/channels.ts";
import { chordsOf } from "../input/chord.ts";
import type { InputEvent } from "../input/events.ts";
import type { ActionName, KeyContext } from "../keys/action-table.ts";
import { handlerOf, HANDLERS, runChoice } from "./handlers.ts";
import { continueLetters, holdLetter, holdPrefix, pressHint, pressLetter } from "./letters.ts";
import { answerKey, typeInPopup } from "../views/popup/actions.ts";
import { handleMouse } from "./mouse.ts";
import { endHints, hintKey } from "../views/messages/hint-letters.ts";
import { loadCommands } from "../views/composer/run-command-line.ts";
import { submit } from "../views/composer/submit.ts";
import { runLine } from "../views/composer/enter-command.ts";
import { isSpaceText } from "../views/files/browser.ts";
import { typeInNormal } from "../views/composer/vim.ts";
import { pasteText } from "../views/composer/paste.ts";
import { insertText } from "../views/composer/text-actions.ts";
import { typeIntoFields } from "../views/forms/actions.ts";
import { typeIntoForm } from "../views/poll/actions.ts";
import { typeInPanel } from "../views/panel/line.ts";
import { filterTyped } from "../views/sidebar/actions.ts";
import { chordByPlace } from "../keys/layouts.ts";
import { lookup, type Binding } from "../keys/lookup.ts";
import { pauseOf, bindingSteps } from "../keys/macros.ts";
import { withFocus } from "../screen/transitions.ts";
import { isVimNormal, isFiltering, type Screen } from "../screen/screen.ts";
import { topPopup } from "../screen/popup.ts";
import { focusedPanel, openPanelIn, keyPlaceOf } from "../ports/panels.ts";
import type { Ports } from "../ports/ports.ts";
import { attempt, showError, showNotice } from "../screen/notices.ts";
import { words } from "../../text/words.ts";

/** The contexts in which a chord is looked up, in order. */
function keyContextsOf(screen: Screen): KeyContext[] {
  const popup = topPopup(screen);
  if (popup?.kind === "files") return ["chooseFiles", "popup"];
  if (popup) return [popup.kind === "poll" || popup.kind === "fields" ? "form" : "popup"];
  switch (screen.focus) {
    case "composer":
      if (isVimNormal(screen)) return ["normal", "write", "global"];
      return screen.completion?.items.length ? ["complete", "write", "global"] : ["write", "global"];
    case "sidebar":
      return ["sidebar", "global"];
    case "panel":
      return [panelContext(screen), "global"];
    default:
      return ["browse", "global"];
  }
}

function panelContext(screen: Screen): KeyContext {
  const own = openPanelIn(screen);
  return own ? keyPlaceOf(own.of) : "browse";
}

/** Letters are typed in the line of the focused panel. */
const hasLine = (screen: Screen): boolean => focusedPanel(screen)?.of.line !== undefined;

/** Whether a chord types text here. In the file browser the space bar marks a file, unless it belongs to a typed path. */
function isText(screen: Screen, chord: string): boolean {
  const popup = topPopup(screen);
  if (popup?.kind === "files" && chord === "space") return isSpaceText(popup);
  return (
    popup !== undefined ||
    hasLine(screen) ||
    isFiltering(screen) ||
    (screen.focus === "composer" && !isVimNormal(screen))
  );
}

function runBinding(ports: Ports, binding: Binding): void {
  const steps = bindingSteps(binding);
  if (steps.length > 1) startSteps(ports, steps);
  else if (binding.startsWith("/")) runLine(ports, binding);
  else {
    try {
      handlerOf(binding as ActionName)(ports);
    } catch (error) {
      showError(ports, error);
    }
  }
}

/** Loads the commands first: one that came later than the step after it would ask its question into that. */
function startSteps(ports: Ports, steps: readonly string[]): void {
  const lines = steps.filter((step) => step.startsWith("/"));
  if (lines.length === 0) return runSteps(ports, steps);
  attempt(
    ports,
    loadCommands(ports, lines).then(() => runSteps(ports, steps)),
  );
}

/** Does the steps of a key one after the other, unless one asks a question: the answer comes first, and the rest is left out. */
function runSteps(ports: Ports, [step, ...rest]: readonly string[]): void {
  if (step === undefined) return;
  const pause = pauseOf(step);
  if (pause !== undefined) return pauseBefore(ports, rest, pause);
  try {
    if (step.startsWith("/")) runLine(ports, step);
    else runChoice(ports, step);
  } catch (error) {
    return showError(ports, error);
  }
  if (topPopup(ports.store.screen)?.kind !== "confirm") return runSteps(ports, rest);
  if (rest.length > 0) showNotice(ports, words.keyFile.leftOut);
}

/** Goes on after the pause, unless another key was pressed meanwhile. */
function pauseBefore(ports: Ports, rest: readonly string[], ms: number): void {
  const paused = { rest };
  ports.store.update((s) => ({ ...s, paused }));
  ports.clock.setTimeout(() => {
    if (ports.store.screen.paused !== paused) return;
    endPause(ports);
    runSteps(ports, rest);
  }, ms);
}

const endPause = ({ store }: Pick<Ports, "store">): void =>
  store.update((s) => ({ ...s, paused: undefined }));

/** Typed text goes to the composer, or to the palette if the user has no channel to write in. */
function writeText(ports: Ports, text: string): void {
  const { store, boxes } = ports;
  if (boxes.place !== undefined || store.screen.loading || listedChannels(store.state).length > 0)
    return insertText(ports, text);
  HANDLERS.palette(ports);
  typeInPopup(ports, topPopup(ports.store.screen)!, text);
}

/** Types text into the focused popup, search line or sidebar filter; false if none has the focus. */
function typeIntoLine(ports: Ports, text: string): boolean {
  const { screen } = ports.store;
  const popup = topPopup(screen);
  if (popup?.kind === "poll") typeIntoForm(ports, text);
  else if (popup?.kind === "fields") typeIntoFields(ports, text);
  else if (popup) typeInPopup(ports, popup, text);
  else if (hasLine(screen)) typeInPanel(ports, text);
  else if (isFiltering(screen)) filterTyped(ports, text);
  else return false;
  return true;
}

/** The part of a paste that fits the focused popup: forms join the lines, lists take the first one. */
function pastedText({ store }: Ports, text: string): string {
  const popup = topPopup(store.screen);
  if (popup?.kind === "fields" || popup?.kind === "poll") return text.replace(/[\r\n]+/g, " ");
  return popup ? text.split(/[\r\n]/)[0]! : text;
}

/** Looks a chord up, also as the next one of a sequence; false if no key has it. */
function handleChord(ports: Ports, contexts: readonly KeyContext[], chord: string, text: string | undefined) {
  const { pendingKey: pending, quitArmed } = ports.store.screen;
  const match = lookup(ports.keys, contexts, chord, pending);
  if (pending !== undefined) ports.store.update((s) => ({ ...s, pendingKey: undefined }));
  if (match.kind === "none") return pending !== undefined;
  if (match.kind === "prefix") {
    const pendingKey = pending === undefined ? chord : `${pending} ${chord}`;
    ports.store.update((s) => ({ ...s, pendingKey }));
    if (text !== undefined) holdPrefix(ports, chord, text);
    return true;
  }
  const { binding } = match;
  if (quitArmed && binding !== "clear") ports.store.update((s) => ({ ...s, quitArmed: false }));
  const act = (): void => runBinding(ports, binding);
  // No text begins with a blank.
  const isBlank = chord === "space" && ports.store.screen.typed === undefined;
  if (text === undefined || isBlank || isVimNormal(ports.store.screen)) act();
  else pressLetter(ports, { chord, text, sequence: pending !== undefined }, binding, act);
  return true;
}

/** The chord that the tables have: its own, else that of its place on a US board. */
function boundChord({ keys, settings, store }: Ports, chord: string): string {
  const place = chordByPlace(chord, settings.keyboard ?? "auto");
  if (place === undefined) return chord;
  const { screen } = store;
  return lookup(keys, keyContextsOf(screen), chord, screen.pendingKey).kind === "none" ? place : chord;
}

function handleKey(ports: Ports, typed: string, text: string | undefined): void {
  const chord = boundChord(ports, typed);
  if (continueLetters(ports, keyContextsOf(ports.store.screen), chord, text)) return;
  const { screen } = ports.store;
  const popup = topPopup(screen);
  if (popup?.kind === "confirm" && answerKey(ports, popup, chord, text)) return;
  if (screen.hints) {
    const act = hintKey(ports, chord, text);
    if (act && text !== undefined) pressHint(ports, chord, text, act);
    return;
  }
  if (isVimNormal(screen) && screen.pendingKey === undefined && typeInNormal(ports, text, chord)) return;
  // Text is never looked up as a binding, except as the second half of a chord.
  const isTyped = text !== undefined && isText(screen, chord);
  if (!isTyped || screen.pendingKey !== undefined)
    if (handleChord(ports, keyContextsOf(screen), chord, text)) return;
  if (text === undefined || typeIntoLine(ports, text)) return;
  if (screen.focus !== "composer") holdLetter(ports, chord, text);
  else if (!isVimNormal(screen)) writeText(ports, text);
}

/** While the connection waits for the user, or polls, Enter reconnects (the header says so), except in a popup, where it chooses. */
function retryConnection({ store, core }: Ports): void {
  const { phase, cause, transport } = store.state.link;
  if ((phase === "stopped" || cause === "ended" || transport === "longpoll") && !topPopup(store.screen))
    core.reconnect();
}

/** Whether the chord clears the box (Ctrl-C). */
function clearsBox({ keys }: Pick<Ports, "keys">, chord: string): boolean {
  const found = lookup(keys, ["write", "global"], chord);
  return found.kind === "binding" && found.binding === "clear";
}

/** After an Enter that waits for the first channel, further input is queued behind it; Ctrl-C drops the queue. */
function queueInput(ports: Ports, queuedInput: readonly InputEvent[], event: InputEvent): boolean {
  if (event.type !== "text" && event.type !== "key" && event.type !== "paste") return false;
  const cleared = event.type === "key" && chordsOf(event).some((chord) => clearsBox(ports, chord));
  ports.store.update((s) => ({ ...s, queuedInput: cleared ? undefined : [...queuedInput, event] }));
  return !cleared;
}

/** Once the first channel is open, or loading ended without one: submits and replays the queued input in order. */
export function replayQueuedInput(ports: Ports): void {
  const { queuedInput, loading } = ports.store.screen;
  if (!queuedInput || (loading && !ports.boxes.place)) return;
  ports.store.update((s) => ({ ...s, queuedInput: undefined }));
  submit(ports);
  for (const event of queuedInput) handleInput(ports, event);
}

/** While no view has room nothing is typed or run unseen: the key that clears the box quits. */
function handleUnseen(ports: Ports, event: InputEvent): void {
  if (event.type !== "key" || !chordsOf(event).some((chord) => clearsBox(ports, chord))) return;
  const popup = topPopup(ports.store.screen);
  // What it asks before it quits is not seen either.
  if (popup?.kind === "confirm") popup.yes();
  else HANDLERS.quit(ports);
}

/** The entry point for all terminal input; a chunk of typed text is inserted in one step. */
export function handleInput(ports: Ports, event: InputEvent): void {
  if (ports.store.get().layout.tooSmall && !["focus", "reply"].includes(event.type))
    return handleUnseen(ports, event);
  const { queuedInput } = ports.store.screen;
  if (queuedInput && queueInput(ports, queuedInput, event)) return;
  if (ports.store.screen.paused && event.type !== "focus" && event.type !== "reply") endPause(ports);
  switch (event.type) {
    case "text": {
      const { screen } = ports.store;
      if (
        screen.pendingKey === undefined &&
        screen.typed === undefined &&
        !screen.popups.length &&
        screen.focus === "composer" &&
        !screen.vim
      )
        return writeText(ports, event.text);
      if (screen.pendingKey === undefined && screen.typed === undefined && hasLine(screen))
        return typeInPanel(ports, event.text);
      for (const chord of chordsOf(event)) handleKey(ports, chord, chord === "space" ? " " : chord);
      return;
    }
    case "key":
      if (chordsOf(event).includes("enter")) retryConnection(ports);
      for (const chord of chordsOf(event)) handleKey(ports, chord, undefined);
      return;
    case "paste":
      continueLetters(ports, [], "paste", undefined);
      endHints(ports);
      if (typeIntoLine(ports, pastedText(ports, event.text))) return;
      if (ports.store.screen.focus !== "composer") ports.store.update((s) => withFocus(s, "composer"));
      return pasteText(ports, event.text);
    case "mouse":
      continueLetters(ports, [], "mouse", undefined);
      if (ports.store.screen.hints) endHints(ports);
      return handleMouse(ports, event);
    case "focus":
      ports.store.update((s) => (s.windowFocused === event.on ? s : { ...s, windowFocused: event.on }));
      return;
    case "reply":
  }
}
