/** Handles Enter: a line becomes an edit, a message, one of the composer's lines or a command (commands/line). */
import { findCommand, readLine, unknownWords } from "../../../commands/line.ts";
import { others } from "../../../model/channels.ts";
import { mentionedIn } from "../../../model/mentions.ts";
import { lastOwn } from "../../../model/permissions.ts";
import { shownSet } from "../../../model/select.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { reasonOf } from "../../../wire/errors.ts";
import { showChord } from "../../input/chord.ts";
import { lineIn, lineNames, lineRow, type LineName } from "../../keys/line-table.ts";
import { chordsFor } from "../../keys/lookup.ts";
import { elsewhereFor } from "../../keys/elsewhere.ts";
import { withOurName } from "../../keys/other-names.ts";
import { withCompletion, withScroll } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { cannotPostReason } from "../../screen/posting.ts";
import { messageIn } from "../../screen/selectors.ts";
import { askToConfirm, attempt, showError, showNotice } from "../../screen/notices.ts";
import { TooLongError } from "../../../model/errors.ts";
import { setText } from "../../editor/edits.ts";
import { attachFiles } from "../files/actions.ts";
import { LINE_RUNS } from "./line-runs.ts";
import {
  askTime,
  backToBox,
  textBack,
  listScheduled,
  moveScheduled,
  offerUnsend,
  announceTime,
  timed,
  type When,
} from "./scheduled.ts";
import { runCommandLine, runText, argDefaultsAt } from "./running.ts";
import { done, NOT_TYPED, takenLine, type LineOutcome } from "./line-outcome.ts";

/** `s/old/new/`: the quick way to correct my last message. */
const CORRECTION = /^s\/((?:[^/\\\n]|\\.)+)\/((?:[^/\\\n]|\\.)*)\/?$/;

function people(ports: Ports, cid: string) {
  const entry = ports.store.state.channels.get(cid);
  return entry ? others(entry, ports.core.userId) : [];
}

function correct(ports: Ports, match: RegExpExecArray): boolean {
  const plain = (text: string): string => text.replace(/\\(.)/g, "$1");
  const { place } = ports.boxes;
  const message = place && lastOwn(ports.store.state, place, ports.core.userId);
  if (message?.status === "sending") {
    showNotice(ports, words.message.onItsWay);
    return false;
  }
  const from = plain(match[1]!);
  if (!message?.text.includes(from)) {
    showNotice(ports, words.acting.notContained(cleanLine(from)), "warning");
    return false;
  }
  const text = message.text.replace(from, () => plain(match[2]!));
  attempt(
    ports,
    ports.core.edit(message, { text, mentioned_users: mentionedIn(text, people(ports, message.cid)) }),
  );
  return true;
}

/** The first channel is about to open: Enter, and what is typed behind it, waits for that. */
function nowhere(ports: Ports): void {
  if (ports.store.screen.loading) ports.store.update((s) => ({ ...s, queuedInput: [] }));
  else showNotice(ports, words.files.nowhere);
}

/** Sends what stands in the box; the message is on the screen when this returns (D1). */
export function submit(ports: Ports): void {
  const place = ports.boxes.place;
  if (!place) return nowhere(ports);
  const { editor, editing, uploads, carried } = ports.boxes.at(place);
  const { text } = editor;
  if (editing) return saveEdit(ports, place);
  if (text.trim() === "") {
    // Blanks alone are nothing to send; files without words are.
    if (uploads.length + carried.length > 0) post(ports, place, "");
    return;
  }
  const correction = CORRECTION.exec(text);
  if (!correction) return sendLine(ports, place, text);
  if (correct(ports, correction)) done(ports, place);
}

function saveEdit(ports: Ports, place: ThreadRef): void {
  const { text } = ports.boxes.at(place).editor;
  try {
    ports.boxes.change((composer) => composer.send(), place);
    ports.boxes.remember(text);
  } catch (error) {
    showNotice(ports, error instanceof Error ? error.message : String(error), "warning");
  }
}

/** `:search tea`, as where one browses. */
const SEARCH_LINE = /^:search(?:\s+(.*))?$/s;

/** A line of the box's own; what it cannot do is said, and the line stays. */
function runOwn(ports: Ports, { name, rest }: { name: LineName; rest: string }, typed: LineOutcome): void {
  try {
    const fault = LINE_RUNS[name](ports, rest, typed);
    if (fault !== undefined) showNotice(ports, fault, "warning");
  } catch (error) {
    showError(ports, error);
  }
}

/** The provider's commands of a channel. */
const theirsIn = ({ store }: Ports, cid: string): string[] =>
  store.state.channels.get(cid)?.channel.config?.commands.map(({ name }) => name) ?? [];

const isProviderCommand = (ports: Ports, cid: string, text: string): boolean =>
  theirsIn(ports, cid).some((name) => text === `/${name}` || text.startsWith(`/${name} `));

/** A command whose name is written in full, whether or not its words are right. */
export function isCommand(ports: Ports, text: string): boolean {
  const { place } = ports.boxes;
  if (!place || !text.startsWith("/")) return false;
  if (isProviderCommand(ports, place.cid, text)) return true;
  const theirs = theirsIn(ports, place.cid);
  const meant = withOurName(text, theirs);
  return lineIn(meant, theirs) !== undefined || findCommand(meant.slice(1)) !== undefined;
}

/** A line of the box that wants nothing behind it is known; any other name comes with those that are near. */
function unknownLine(name: string, theirs: readonly string[]): string {
  const own = lineIn(`/${name}`, theirs)?.name;
  const elsewhere = elsewhereFor(name);
  if (elsewhere) return `${elsewhere.title}. ${elsewhere.says}`;
  return own ? words.lines.alone(own, lineRow(own).args) : unknownWords(name, [...lineNames, ...theirs]);
}

function sendLine(ports: Ports, place: ThreadRef, text: string): void {
  const names = theirsIn(ports, place.cid);
  const typed = takenLine(ports, place);
  const sought = SEARCH_LINE.exec(text.trim());
  if (sought) return runOwn(ports, { name: "search", rest: sought[1] ?? "" }, typed);
  const meant = withOurName(text, names);
  const own = lineIn(meant, names);
  if (own?.name === "schedule") return schedule(ports, place, own.rest, typed);
  if (own?.name === "me" && own.rest !== "") return void post(ports, place, `_${own.rest}_`);
  if (own) return runOwn(ports, own, typed);
  const line = readLine(meant, argDefaultsAt(ports, place), names);
  switch (line.kind) {
    case "fault":
      return showNotice(ports, cleanLine(line.message), "warning");
    case "command":
      return runCommandLine(ports, line, typed);
    case "unknown":
      return showNotice(ports, unknownLine(line.name, names), "warning");
    default:
      post(ports, place, line.text);
  }
}

/** It stands nowhere yet: what is said is all that is seen of it. */
function scheduledAt(ports: Ports, at: number): true {
  announceTime(ports, at);
  return true;
}

/** The moment in which a message can be taken back, where the setting has one. */
const delayOf = ({ settings }: Ports): When => (settings.undoSend > 0 ? { afterMs: settings.undoSend } : {});

/** A text that no message takes can go as a file, which the next Enter sends. */
function offerAsFile(ports: Ports, place: ThreadRef, text: string, { most }: TooLongError): void {
  const name = "message.txt";
  askToConfirm(ports, { level: "mild", question: words.files.tooLong(text.length, most, name) }, () => {
    try {
      const file = ports.disk.keep(name, text);
      ports.boxes.put(setText(ports.boxes.at(place).editor, ""), place, true);
      attachFiles(ports, [file]);
    } catch (error) {
      showError(ports, error);
    }
  });
}

/** False where it did not go out: what cannot be posted is not tried, and the text stays in the box. */
function post(ports: Ports, place: ThreadRef, text: string, when: When = delayOf(ports)): boolean {
  const { boxes, store, core } = ports;
  const zone = { utc: store.get().look.utc };
  const shut = ports.settings.readOnly
    ? words.readOnly.refused
    : cannotPostReason(store.state, store.state.channels.get(place.cid), ports.clock.now(), zone);
  if (shut !== undefined) {
    showNotice(ports, shut, "warning");
    return false;
  }
  const composer = boxes.composer(place);
  const { editor, uploads } = boxes.at(place);
  const left = uploads.filter(({ state }) => state === "failed" || state === "blocked");
  if (left.length > 0) {
    const key = (action: "takeOff" | "retryUpload"): string =>
      showChord(chordsFor(ports.keys, action, ["write"])[0] ?? "");
    const named = (state: "failed" | "blocked"): string[] =>
      left.flatMap((one) => (one.state === state ? cleanLine(one.name) : []));
    const keysFor = { takeOff: key("takeOff"), retry: key("retryUpload") };
    const files = { failed: named("failed"), blocked: named("blocked") };
    showNotice(ports, words.files.notGoing(files, keysFor), "warning");
    return false;
  }
  let sent;
  try {
    // A line may stand for another text than its own.
    if (text !== editor.text) composer.typed(text, text.length);
    sent = composer.send(when);
  } catch (error) {
    // Nothing is lost that was not kept: the text stays in the box (D1).
    composer.typed(editor.text, editor.cursor);
    if (error instanceof TooLongError) offerAsFile(ports, place, editor.text, error);
    else showError(ports, error);
    return false;
  }
  boxes.remember(editor.text);
  store.update((s) => withScroll(withCompletion(s, undefined), place, {}));
  boxes.sync(place, true);
  if (when.at !== undefined) return scheduledAt(ports, when.at);
  if (sent && when.afterMs !== undefined) offerUnsend(ports, sent.id, place.cid, when.afterMs);
  // Who answers has read what is above: its line has done its work.
  if (place.parentId === undefined) core.left(place.cid);
  const set = shownSet(store.state, place);
  if (set && !set.isLatest) attempt(ports, core.backToLatest(place));
  sent?.outcome.then(
    (result) => {
      // The message stays on the screen, marked, with the keys to retry or drop it; why is said once.
      if (result.state !== "failed") return;
      if (sent && place.parentId !== undefined && !messageIn(store.state, place, sent.id))
        return backToBox(ports, place, sent.id);
      const reason = cleanLine(reasonOf(result.error.message));
      const isShown = store.state.channels.has(place.cid);
      if (sent && (!isShown || isProviderCommand(ports, place.cid, text)))
        return textBack(ports, place, sent.id, reason);
      showNotice(ports, reason, "warning");
    },
    (error: unknown) => showError(ports, error),
  );
  return true;
}

/** What stands in the box goes out at a time; with an id one that waits already gets another time. */
export function sendAt(ports: Ports, id: string, at: number): void {
  if (id !== "") return moveScheduled(ports, id, at);
  const { place } = ports.boxes;
  if (place) post(ports, place, ports.boxes.at(place).editor.text, { at });
}

/** A time is asked for what stands in the box. */
export function sendLater(ports: Ports): void {
  const { editor, uploads, carried, editing } = ports.boxes.at();
  const empty = editor.text.trim() === "" && uploads.length + carried.length === 0;
  if (!ports.boxes.place || editing || empty) return showNotice(ports, words.scheduled.nothing, "warning");
  askTime(ports);
}

/** `/schedule 09:30 TEXT`; alone the list. */
function schedule(ports: Ports, place: ThreadRef, rest: string, typed: LineOutcome): void {
  if (rest === "") {
    typed.taken();
    return listScheduled(ports);
  }
  const found = timed(ports, rest);
  if (!found || found.text.trim() === "") return showNotice(ports, words.scheduled.noTime, "warning");
  post(ports, place, found.text, { at: found.at });
}

/** A line that a key or a list names. */
export function runLine(ports: Ports, text: string): void {
  const line = lineIn(text, []);
  if (line) runOwn(ports, line, NOT_TYPED);
  else runText(ports, text, NOT_TYPED);
}
