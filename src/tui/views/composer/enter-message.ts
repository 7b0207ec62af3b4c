/** A text that is a message: posts it now, after a delay or at a time. */
import type { Sent, Upload } from "../../../core/core.ts";
import { AudienceError } from "../../../model/audience.ts";
import { errorMessage, TooLongError } from "../../../model/errors.ts";
import type { MentionsFound } from "../../../model/mentions.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { reasonOf } from "../../../wire/errors.ts";
import { setText } from "../../editor/edits.ts";
import { showChord } from "../../input/chord.ts";
import { chordsFor } from "../../keys/lookup.ts";
import type { Ports } from "../../ports/ports.ts";
import { askToConfirm, showError, showNotice } from "../../screen/notices.ts";
import { cannotPostReason, messageIn } from "../../screen/selectors.ts";
import { withCompletion, withScroll } from "../../screen/transitions.ts";
import { showPosted } from "../../navigation/show-posted.ts";
import { attachFiles } from "../files/actions.ts";
import { showAudienceError, whenAudienceIsKnown } from "./audience.ts";
import {
  announceTime,
  askTime,
  offerUnsend,
  returnText,
  returnToComposer,
  type SendTiming,
} from "./scheduled.ts";
import { waitForUploads } from "./waiting-sends.ts";
import { isProviderCommand, providerCommandsIn, type LineKind } from "./entered-line.ts";

/** The delay during which a message can be undone, if the setting has one. */
const undoDelay = ({ settings }: Ports): SendTiming =>
  settings.undoSend > 0 ? { afterMs: settings.undoSend } : {};

/** Offers to attach a text that is too long for a message as a file; the next Enter sends it. */
function offerAsFile(ports: Ports, place: ThreadRef, text: string, { most }: TooLongError): void {
  const name = "message.txt";
  askToConfirm(ports, { level: "mild", question: words.files.tooLong(text.length, most, name) }, () => {
    try {
      const file = ports.disk.writeTemp(name, text);
      ports.boxes.setEditor(setText(ports.boxes.at(place).editor, ""), place, true);
      attachFiles(ports, [file]);
    } catch (error) {
      showError(ports, error);
    }
  });
}

/** Why nothing can be posted in the channel; undefined when posting is possible. */
function closedReason({ store, settings, clock }: Ports, { cid }: ThreadRef): string | undefined {
  if (settings.readOnly) return words.readOnly.refused;
  const { state, look } = store.get();
  return cannotPostReason(state, state.channels.get(cid), clock.now(), { utc: look.utc });
}

/** Names the uploads that failed or are blocked, with the keys to retry or remove them; undefined if there are none. */
function unsendableFiles({ boxes, keys }: Ports, place: ThreadRef): string | undefined {
  const { uploads } = boxes.at(place);
  const namesWith = (state: Upload["state"]): string[] =>
    uploads.flatMap((upload) => (upload.state === state ? cleanLine(upload.name) : []));
  const files = { failed: namesWith("failed"), blocked: namesWith("blocked") };
  if (files.failed.length + files.blocked.length === 0) return undefined;
  const keyOf = (action: "takeOff" | "retryUpload"): string =>
    showChord(chordsFor(keys, action, ["write"])[0] ?? "");
  return words.files.notGoing(files, { takeOff: keyOf("takeOff"), retry: keyOf("retryUpload") });
}

/** Shows why a message was refused; one that no list shows goes back to the composer. */
function showRefusal(ports: Ports, place: ThreadRef, text: string, { id, outcome }: Sent): void {
  const { store } = ports;
  outcome.then(
    (result) => {
      // The failed message stays on the screen with its keys; the notice gives the reason.
      if (result.state !== "failed") return;
      if (place.parentId !== undefined && !messageIn(store.state, place, id))
        return returnToComposer(ports, place, id);
      const reason = cleanLine(reasonOf(result.error.message));
      const isShown = store.state.channels.has(place.cid);
      if (!isShown || isProviderCommand(text, providerCommandsIn(ports, place.cid)))
        return returnText(ports, place, id, reason);
      showNotice(ports, reason, "warning");
    },
    (error: unknown) => showError(ports, error),
  );
}

/** Says which names in a sent text mention nobody (R-MENT-6). */
export function showUnmentioned(ports: Ports, found: MentionsFound): void {
  const line = words.mentions.notMentioned(found);
  if (line !== undefined) showNotice(ports, cleanLine(line), "warning");
}

/** A text without the blank lines before and after it. */
function trimmed(text: string): string {
  const begin = text.lastIndexOf("\n", text.length - text.trimStart().length - 1) + 1;
  const end = text.indexOf("\n", text.trimEnd().length);
  return end < 0 ? text.slice(begin) : text.slice(Math.min(begin, end), end);
}

/** Sends a message; when that is impossible the text stays in the composer. */
export function post(ports: Ports, place: ThreadRef, written: string, timing = undoDelay(ports)): void {
  const { boxes, store } = ports;
  const text = trimmed(written);
  const refusal = closedReason(ports, place) ?? unsendableFiles(ports, place);
  if (refusal !== undefined) return showNotice(ports, refusal, "warning");
  const again = (): void => post(ports, place, text, timing);
  if (waitForUploads(ports, place, again)) return;
  const composer = boxes.composer(place);
  if (!composer.audience()) return whenAudienceIsKnown(ports, place, again);
  const { editor } = boxes.at(place);
  let sent;
  let mentions;
  try {
    // A command such as /me sends a different text than was typed.
    if (text !== editor.text) composer.typed(text, text.length);
    mentions = composer.mentions();
    sent = composer.send(timing);
  } catch (error) {
    // Not stored, so not sent: the text stays in the composer (D1).
    composer.typed(editor.text, editor.cursor);
    if (error instanceof TooLongError) return offerAsFile(ports, place, editor.text, error);
    if (error instanceof AudienceError) return showAudienceError(ports, error);
    return showError(ports, error);
  }
  boxes.remember(editor.text);
  store.update((s) => withScroll(withCompletion(s, undefined), place, {}));
  boxes.sync(place, true);
  // A command of the provider answers itself.
  if (!isProviderCommand(text, providerCommandsIn(ports, place.cid))) showUnmentioned(ports, mentions);
  // The notice is the only visible sign of a scheduled message.
  if (timing.at !== undefined) return announceTime(ports, timing.at);
  if (sent && timing.silent) showNotice(ports, words.silently.sent, "success");
  if (sent && timing.afterMs !== undefined) offerUnsend(ports, sent.id, place.cid, timing.afterMs);
  showPosted(ports, place);
  if (sent) showRefusal(ports, place, text, sent);
}

/** The place whose composer has something to send; if there is nothing, undefined, and `nothing` is said. */
function placeToSend(ports: Ports, nothing: string): ThreadRef | undefined {
  const { place } = ports.boxes;
  const { editor, uploads, carried, editing } = ports.boxes.at();
  const empty = editor.text.trim() === "" && uploads.length + carried.length === 0;
  if (place && !editing && !empty) return place;
  showNotice(ports, nothing, "warning");
  return undefined;
}

/** Sends what is in the composer so that it notifies nobody, neither those whom it names nor the author of what it quotes. */
export function sendSilently(ports: Ports): void {
  const place = placeToSend(ports, words.silently.nothing);
  if (place) post(ports, place, ports.boxes.at(place).editor.text, { ...undoDelay(ports), silent: true });
}

/** Asks when to send what is in the composer. */
export function sendLater(ports: Ports): void {
  if (!placeToSend(ports, words.scheduled.nothing)) return;
  askTime(ports, (at) => {
    const { place } = ports.boxes;
    if (place) post(ports, place, ports.boxes.at(place).editor.text, { at });
  });
}

/** Files are sent without a text; blanks alone are not. */
export const files: LineKind = (ports, { place, text }) => {
  if (text.trim() !== "") return false;
  const { uploads, carried } = ports.boxes.at(place);
  if (uploads.length + carried.length > 0) post(ports, place, "");
  return true;
};

/** Saves a message that is being edited. */
export const savedEdit: LineKind = (ports, { place, text }) => {
  if (!ports.boxes.at(place).editing) return false;
  const composer = ports.boxes.composer(place);
  if (trimmed(text) !== text) composer.typed(trimmed(text), text.length);
  const mentions = composer.mentions();
  try {
    ports.boxes.change((composer) => composer.send(), place);
    ports.boxes.remember(text);
    showUnmentioned(ports, mentions);
  } catch (error) {
    showNotice(ports, errorMessage(error), "warning");
  }
  return true;
};
