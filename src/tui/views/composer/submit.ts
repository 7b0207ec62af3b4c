/** Handles Enter: saves an edit, runs a command, or sends a message. */
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { showNotice } from "../../screen/notices.ts";
import { commandOrMessage, composerLine } from "./enter-command.ts";
import { correction } from "./enter-correction.ts";
import { providerCommandsIn, type LineKind } from "./entered-line.ts";
import { files, savedEdit } from "./enter-message.ts";

/** What a line can be: the first kind that knows it deals with it. */
const KINDS: readonly LineKind[] = [savedEdit, files, correction, composerLine, commandOrMessage];

/** Enter before a channel is open: while the first one is loading, keys are held back until it is there. */
function waitForChannel(ports: Ports): void {
  if (ports.store.screen.loading) ports.store.update((s) => ({ ...s, queuedInput: [] }));
  else showNotice(ports, words.files.nowhere);
}

/** The first Enter after a text that began while browsing says so, and does not send (specification/screen.md §4.2). */
function enterIsHeld(ports: Ports): boolean {
  if (!ports.store.screen.enterHeld) return false;
  ports.store.update((s) => ({ ...s, enterHeld: undefined }));
  showNotice(ports, words.acting.typedWhileBrowsing);
  return true;
}

/** Does what was typed; a message is on the screen when this returns (D1). */
export function submit(ports: Ports): void {
  const { place } = ports.boxes;
  if (!place) return waitForChannel(ports);
  const { text } = ports.boxes.at(place).editor;
  if (text !== "" && enterIsHeld(ports)) return;
  const line = { place, text, providerNames: providerCommandsIn(ports, place.cid) };
  KINDS.some((isKind) => isKind(ports, line));
}
