/** Handles Enter: saves an edit, sends a message, or runs a command (commands/line). */
import { findCommand, readLine, unknownCommandMessage } from "../../../commands/line.ts";
import type { Sent, Upload } from "../../../core/core.ts";
import { otherMembers } from "../../../model/channels.ts";
import { locateMentions, mentionsIn, type MentionsFound } from "../../../model/mentions.ts";
import { lastOwn } from "../../../model/permissions.ts";
import { shownSet } from "../../../model/select.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { reasonOf } from "../../../wire/errors.ts";
import { showChord } from "../../input/chord.ts";
import {
  parseComposerCommand,
  composerCommandNames,
  composerCommand,
  type ComposerCommandName,
} from "../../keys/composer-commands.ts";
import { chordsFor } from "../../keys/lookup.ts";
import { missingFeature } from "../../keys/missing-features.ts";
import { resolveAlias } from "../../keys/aliases.ts";
import { uncovered, withCompletion, withScroll } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { cannotPostReason } from "../../screen/posting.ts";
import { messageIn } from "../../screen/selectors.ts";
import { askToConfirm, attempt, showError, showNotice } from "../../screen/notices.ts";
import { errorMessage, TooLongError } from "../../../model/errors.ts";
import { setText } from "../../editor/edits.ts";
import { attachFiles } from "../files/actions.ts";
import { LINE_COMMANDS } from "./line-commands.ts";
import {
  askTime,
  returnToComposer,
  returnText,
  listScheduled,
  offerUnsend,
  announceTime,
  splitTime,
  type SendTiming,
} from "./scheduled.ts";
import { runCommandLine, runText, argDefaultsAt } from "./run-command-line.ts";
import { waitForUploads } from "./waiting-sends.ts";
import { clearCommand, NOT_TYPED, typedCommandIn, type TypedCommand } from "./typed-command.ts";

/** `s/old/new/` corrects the user's last message. */
const CORRECTION = /^s\/((?:[^/\\\n]|\\.)+)\/((?:[^/\\\n]|\\.)*)\/?$/;

function people(ports: Ports, cid: string) {
  const entry = ports.store.state.channels.get(cid);
  return entry ? otherMembers(entry, ports.core.userId) : [];
}

function correctLast(ports: Ports, match: RegExpExecArray): boolean {
  const unescape = (text: string): string => text.replace(/\\(.)/g, "$1");
  const { place } = ports.boxes;
  const message = place && lastOwn(ports.store.state, place, ports.core.userId);
  if (message?.status === "sending") {
    showNotice(ports, words.message.onItsWay);
    return false;
  }
  const from = unescape(match[1]!);
  if (!message?.text.includes(from)) {
    showNotice(ports, words.acting.notContained(cleanLine(from)), "warning");
    return false;
  }
  const text = message.text.replace(from, () => unescape(match[2]!));
  const { mentioned_users: earlier } = message;
  const found = mentionsIn(text, {
    chosen: locateMentions(text, earlier),
    earlier,
    others: people(ports, message.cid),
    me: ports.store.state.users.get(ports.core.userId ?? ""),
  });
  attempt(ports, ports.core.edit(message, { text, mentioned_users: found.ids }));
  showUnmentioned(ports, found);
  return true;
}

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

/** Sends what is in the composer; the message is on the screen when this returns (D1). */
export function submit(ports: Ports): void {
  const place = ports.boxes.place;
  if (!place) return waitForChannel(ports);
  const { editor, editing, uploads, carried } = ports.boxes.at(place);
  const { text } = editor;
  if (text !== "" && enterIsHeld(ports)) return;
  if (editing) return saveEdit(ports, place);
  if (text.trim() === "") {
    // Files are sent without a text; blanks alone are not.
    if (uploads.length + carried.length > 0) post(ports, place, "");
    return;
  }
  const correction = CORRECTION.exec(text);
  if (!correction) return sendLine(ports, place, text);
  if (correctLast(ports, correction)) clearCommand(ports, place);
}

function saveEdit(ports: Ports, place: ThreadRef): void {
  const { text } = ports.boxes.at(place).editor;
  const mentions = ports.boxes.composer(place).mentions();
  try {
    ports.boxes.change((composer) => composer.send(), place);
    ports.boxes.remember(text);
    showUnmentioned(ports, mentions);
  } catch (error) {
    showNotice(ports, errorMessage(error), "warning");
  }
}

/** `:search tea`, as while browsing. */
const SEARCH_LINE = /^:search(?:\s+(.*))?$/s;

/** Runs one of the composer's own commands; on a fault it stays in the composer. */
function runLineCommand(ports: Ports, name: ComposerCommandName, rest: string, typed: TypedCommand): void {
  try {
    const fault = LINE_COMMANDS[name](ports, rest, typed);
    if (fault !== undefined) showNotice(ports, fault, "warning");
  } catch (error) {
    showError(ports, error);
  }
}

/** Names of the provider's commands in a channel. */
const providerCommandsIn = ({ store }: Ports, cid: string): string[] =>
  store.state.channels.get(cid)?.channel.config?.commands.map(({ name }) => name) ?? [];

const isProviderCommand = (ports: Ports, cid: string, text: string): boolean =>
  providerCommandsIn(ports, cid).some((name) => text === `/${name}` || text.startsWith(`/${name} `));

/** Whether the text starts with a complete command name, even if its arguments are wrong. */
export function isCommand(ports: Ports, text: string): boolean {
  const { place } = ports.boxes;
  if (!place || !text.startsWith("/")) return false;
  if (isProviderCommand(ports, place.cid, text)) return true;
  const providerNames = providerCommandsIn(ports, place.cid);
  const translated = resolveAlias(text, providerNames);
  return (
    parseComposerCommand(translated, providerNames) !== undefined ||
    findCommand(translated.slice(1)) !== undefined
  );
}

/** Explains why a line is not a command: an own one that takes no arguments, or an unknown name with similar ones. */
function unknownCommandText(name: string, providerNames: readonly string[]): string {
  const own = parseComposerCommand(`/${name}`, providerNames)?.name;
  const feature = missingFeature(name);
  if (feature) return `${feature.title}. ${feature.advice}`;
  return own
    ? words.lines.alone(own, composerCommand(own).args)
    : unknownCommandMessage(name, [...composerCommandNames, ...providerNames]);
}

function sendLine(ports: Ports, place: ThreadRef, text: string): void {
  const providerNames = providerCommandsIn(ports, place.cid);
  const typed = typedCommandIn(ports, place);
  const searchMatch = SEARCH_LINE.exec(text.trim());
  if (searchMatch) return runLineCommand(ports, "search", searchMatch[1] ?? "", typed);
  const translated = resolveAlias(text, providerNames);
  const own = parseComposerCommand(translated, providerNames);
  if (own?.name === "schedule") return schedule(ports, place, own.rest, typed);
  if (own?.name === "me" && own.rest !== "") return post(ports, place, `_${own.rest}_`);
  if (own) return runLineCommand(ports, own.name, own.rest, typed);
  const line = readLine(translated, argDefaultsAt(ports, place), providerNames);
  switch (line.kind) {
    case "fault":
      return showNotice(ports, cleanLine(line.message), "warning");
    case "command":
      return runCommandLine(ports, line, typed);
    case "unknown":
      return showNotice(ports, unknownCommandText(line.name, providerNames), "warning");
    default:
      post(ports, place, line.text);
  }
}

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

/** Posting counts as having read the channel: removes the line of new messages, and shows the newest ones, which no panel covers. */
function goToNewest(ports: Ports, place: ThreadRef): void {
  const { core, store } = ports;
  store.update((s) => uncovered(s, place));
  if (place.parentId === undefined) core.left(place.cid);
  const set = shownSet(store.state, place);
  if (set && !set.isLatest) attempt(ports, core.backToLatest(place));
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
      if (!isShown || isProviderCommand(ports, place.cid, text)) return returnText(ports, place, id, reason);
      showNotice(ports, reason, "warning");
    },
    (error: unknown) => showError(ports, error),
  );
}

/** Says which names in a sent text mention nobody (R-MENT-6). */
function showUnmentioned(ports: Ports, found: MentionsFound): void {
  const line = words.mentions.notMentioned(found);
  if (line !== undefined) showNotice(ports, cleanLine(line), "warning");
}

/** Sends a message; when that is impossible the text stays in the composer. */
function post(ports: Ports, place: ThreadRef, text: string, timing = undoDelay(ports)): void {
  const { boxes, store } = ports;
  const refusal = closedReason(ports, place) ?? unsendableFiles(ports, place);
  if (refusal !== undefined) return showNotice(ports, refusal, "warning");
  if (waitForUploads(ports, place, () => post(ports, place, text, timing))) return;
  const composer = boxes.composer(place);
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
    return showError(ports, error);
  }
  boxes.remember(editor.text);
  store.update((s) => withScroll(withCompletion(s, undefined), place, {}));
  boxes.sync(place, true);
  // A command of the provider answers itself.
  if (!isProviderCommand(ports, place.cid, text)) showUnmentioned(ports, mentions);
  // The notice is the only visible sign of a scheduled message.
  if (timing.at !== undefined) return announceTime(ports, timing.at);
  if (sent && timing.afterMs !== undefined) offerUnsend(ports, sent.id, place.cid, timing.afterMs);
  goToNewest(ports, place);
  if (sent) showRefusal(ports, place, text, sent);
}

/** Asks when to send what is in the composer. */
export function sendLater(ports: Ports): void {
  const { editor, uploads, carried, editing } = ports.boxes.at();
  const empty = editor.text.trim() === "" && uploads.length + carried.length === 0;
  if (!ports.boxes.place || editing || empty) return showNotice(ports, words.scheduled.nothing, "warning");
  askTime(ports, (at) => {
    const { place } = ports.boxes;
    if (place) post(ports, place, ports.boxes.at(place).editor.text, { at });
  });
}

/** `/schedule 09:30 TEXT`; without arguments it opens the list. */
function schedule(ports: Ports, place: ThreadRef, rest: string, typed: TypedCommand): void {
  if (rest === "") {
    typed.clear();
    return listScheduled(ports);
  }
  const found = splitTime(ports, rest);
  if (typeof found === "string") return showNotice(ports, found, "warning");
  if (!found || found.text.trim() === "") return showNotice(ports, words.scheduled.noTime, "warning");
  post(ports, place, found.text, { at: found.at });
}

/** Runs a command named by a key or a list. */
export function runLine(ports: Ports, text: string): void {
  const line = parseComposerCommand(text, []);
  if (line) runLineCommand(ports, line.name, line.rest, NOT_TYPED);
  else runText(ports, text, NOT_TYPED);
}
