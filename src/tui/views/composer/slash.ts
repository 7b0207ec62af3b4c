/** Enter: a line becomes an edit, a message or a command (commands/line); and what a command's result looks like on the screen. */
import { readLine, splitWords, unknownWords } from "../../../commands/line.ts";
import type { ArgDefaults } from "../../../commands/base/args.ts";
import type { CommandLine } from "../../../commands/line.ts";
import { searchLine } from "../../../commands/search.ts";
import { runInChat } from "../../../commands/run-in-chat.ts";
import type { ChatResult } from "../../../commands/run-in-chat.ts";
import type { View } from "../../../commands/base/define-command.ts";
import { clean, cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd } from "../../../text/width.ts";
import { clock, stamp } from "../../../text/times.ts";
import { reasonOf } from "../../../wire/errors.ts";
import { timeToMs } from "../../../wire/time.ts";
import { namesMessage } from "../../../model/meant.ts";
import { mentionedIn } from "../../../model/mentions.ts";
import { openFiles } from "../channel-files/actions.ts";
import { filesNamed } from "../files/line.ts";
import { openSearch } from "../search/actions.ts";
import { shutWords } from "./over.ts";
import { others, userName } from "../../../model/channels.ts";
import { clear, setText } from "../../editor/edits.ts";
import { isClear } from "../../screen/composer.ts";
import { LISTS } from "../../screen/screen.ts";
import type { ListName } from "../../screen/screen.ts";
import { openForm } from "../poll/actions.ts";
import { openList } from "../lists/cursor.ts";
import { completing, viewed } from "../../screen/moves.ts";
import { popupPushed } from "../../screen/popup.ts";
import type { ThreadRef } from "../../../model/state.ts";
import type { Ports } from "../../screen/ports.ts";
import { lastOwn } from "../../../model/permissions.ts";
import { meantIn } from "../../screen/selectors.ts";
import { tell, attempt, fail, ask } from "../../screen/telling.ts";
import { shownSet } from "../../../model/select.ts";

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
  const from = plain(match[1]!);
  if (!message?.text.includes(from)) {
    tell(ports, `My last message does not contain “${cleanLine(from)}”.`, "warning");
    return false;
  }
  const text = message.text.replace(from, () => plain(match[2]!));
  attempt(
    ports,
    ports.core.edit(message, { text, mentioned_users: mentionedIn(text, people(ports, message.cid)) }),
  );
  return true;
}

/** Sends what stands in the box; the message is on the screen when this returns (D1). */
export function submit(ports: Ports): void {
  const { phase, cause } = ports.store.state.link;
  if (phase === "stopped" || cause === "ended") ports.core.reconnect();
  const place = ports.boxes.place;
  if (!place) return tell(ports, "Open a channel first: Ctrl-K.");
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
  try {
    ports.boxes.change((composition) => composition.send(), place);
  } catch (error) {
    tell(ports, error instanceof Error ? error.message : String(error), "warning");
  }
}

/** `/inbox`, `/threads`, `/later` and `/drafts` alone open the list; with more words they are commands. */
function listNamed(text: string): ListName | undefined {
  const name = text.trim().slice(1);
  return text.startsWith("/") ? LISTS.find((list) => list === name) : undefined;
}

function sendLine(ports: Ports, place: ThreadRef, text: string): void {
  const { config } = ports.store.state.channels.get(place.cid)?.channel ?? {};
  const names = config?.commands.map((c) => c.name) ?? [];
  if (text.trim() === "/poll") {
    done(ports, place);
    return openForm(ports);
  }
  const list = listNamed(text);
  if (list !== undefined && !names.includes(list)) {
    done(ports, place);
    return openList(ports, list);
  }
  const line = readLine(text, standingAt(ports, place), names);
  switch (line.kind) {
    case "fault":
      return tell(ports, cleanLine(line.message), "warning");
    case "command":
      return runCommand(ports, line, place.cid, takenLine(ports, place));
    case "unknown":
      if (ofTheBox(ports, place, line.name, text)) return;
      return tell(ports, unknownWords(line.name, [...OF_THE_BOX, ...names]), "warning");
    default:
      post(ports, place, line.text);
  }
}

/** What a command line may leave out. */
function standingAt({ store, settings, clock }: Ports, place: ThreadRef | undefined): ArgDefaults {
  const { channelType } = settings;
  const now = clock.now();
  if (!place) return { channelType, now };
  return {
    here: place.cid,
    channelType,
    now,
    message: (which) => meantIn(store.get(), place, which)?.id,
    namesMessage: (word) => namesMessage(store.state, place, word),
  };
}

/** A line that leaves the box when it is carried out, and comes back when it is refused. */
interface TypedLine {
  taken(): void;
  refused(): void;
}

function takenLine(ports: Ports, place: ThreadRef): TypedLine {
  const { text } = ports.boxes.at(place).editor;
  return {
    taken: () => done(ports, place),
    refused() {
      const box = ports.boxes.at(place);
      // What was begun meanwhile stays; the line can be walked back to.
      if (isClear(box) && !box.editing) ports.boxes.put(setText(box.editor, text), place, true);
    },
  };
}

/** Commands that only a box has. */
const OF_THE_BOX = ["help", "files", "attach", "detach"] as const;

/** Carries one of them out; false for another name. */
function ofTheBox(ports: Ports, place: ThreadRef, name: string, text: string): boolean {
  if (name === "help") {
    done(ports, place);
    ports.store.now((s) => popupPushed(s, { kind: "help", query: "", top: 0 }));
  } else if (name === "files") {
    done(ports, place);
    openFiles(ports);
  } else if (name === "attach" || name === "detach") hang(ports, place, text);
  return OF_THE_BOX.some((each) => each === name);
}

/** `/attach FILE…` and `/detach [NAME]`: what goes with the next message. */
function hang(ports: Ports, place: ThreadRef, text: string): void {
  const [name, ...names] = splitWords(text.trim());
  const line = takenLine(ports, place);
  line.taken();
  const composition = ports.boxes.composition(place);
  const { attachments, links } = composition;
  // What is wrong with a file is told by core's notice.
  if (name === "/attach")
    filesNamed(ports.disk, names)
      .then((files) => attachments.add(files))
      .catch(() => line.refused());
  else {
    const meant = (...titles: (string | undefined)[]): boolean =>
      names.length === 0 || titles.some((title) => title !== undefined && names.includes(title));
    for (const upload of attachments.state().uploads)
      if (meant(upload.name)) attachments.remove(upload.localId);
    for (const each of composition.state().carried) if (meant(each.title)) composition.drop(each);
    for (const { url, attachment } of links.state().previews)
      if (meant(url, attachment?.title)) links.dismiss(url);
  }
  ports.boxes.sync(place, true);
}

/** False where it did not go out: what cannot be posted is not tried, and the text stays in the box. */
function post(ports: Ports, place: ThreadRef, text: string): boolean {
  const { boxes, store, core } = ports;
  const zone = { utc: store.get().look.utc };
  const shut = shutWords(store.state, store.state.channels.get(place.cid), ports.clock.now(), zone);
  if (shut !== undefined) {
    tell(ports, shut, "warning");
    return false;
  }
  const composition = boxes.composition(place);
  const { editor } = boxes.at(place);
  let sent;
  try {
    // A line may stand for another text than its own.
    if (text !== editor.text) composition.typed(text, text.length);
    sent = composition.send();
  } catch (error) {
    // Nothing is lost that was not kept: the text stays in the box (D1).
    composition.typed(editor.text, editor.cursor);
    fail(ports, error);
    return false;
  }
  boxes.remember(editor.text);
  store.now((s) => viewed(completing(s, undefined), place, {}));
  boxes.sync(place, true);
  // Who answers has read what is above: its line has done its work.
  if (place.parentId === undefined) core.left(place.cid);
  const set = shownSet(store.state, place);
  if (set && !set.isLatest) attempt(ports, core.backToLatest(place));
  sent?.outcome.then(
    (result) => {
      // The message stays on the screen, marked, with the keys to retry or drop it; why is said once.
      if (result.state === "failed") tell(ports, cleanLine(reasonOf(result.error.message)), "warning");
    },
    (error: unknown) => fail(ports, error),
  );
  return true;
}

/** The line was carried out: the box is empty, and files that hang on it wait for a message. */
function done({ boxes, store }: Ports, place: ThreadRef): void {
  const { editor, quote, alsoChannel } = boxes.at(place);
  boxes.remember(editor.text);
  store.now((s) => completing(s, undefined));
  boxes.change((composition) => {
    if (quote) composition.quote(undefined);
    if (alsoChannel) composition.showInChannel(false);
  }, place);
  boxes.put(clear(editor), place, true);
}

/** A command line that a key or the palette names. */
export function runLine(ports: Ports, text: string): void {
  const line = readLine(text, standingAt(ports, ports.boxes.place));
  if (line.kind === "command") runCommand(ports, line, ports.store.screen.cid);
  else if (line.kind === "fault") tell(ports, cleanLine(line.message), "warning");
}

function runCommand(ports: Ports, line: CommandLine, here: string | undefined, typed?: TypedLine): void {
  const { core, clock, settings } = ports;
  if (line.path === "search") {
    typed?.taken();
    return openSearch(ports, searchLine(line.values));
  }
  const run = async (): Promise<void> => {
    const { channelType } = settings;
    const times = { now: () => clock.now(), random: () => ports.random() };
    present(
      ports,
      line.path,
      await runInChat(line, { core, here, channelType, ...times, limit: SHEET_ITEMS }),
    );
  };
  const go = (): void => {
    typed?.taken();
    const running = run();
    running.catch(() => typed?.refused());
    attempt(ports, running);
  };
  const question = line.command.confirm?.(line.values as never);
  if (question) ask(ports, question, go);
  else go();
}

const SHEET_ITEMS = 100;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function present(ports: Ports, path: string, { views, word }: ChatResult): void {
  const lines = viewLines(views, ports.store.get().look.utc);
  const [first = word === "nothing" ? word : undefined] = lines;
  if (lines.length > 1 || views.some((v) => v.kind === "table" || v.kind === "fields"))
    ports.store.now((s) =>
      popupPushed(s, {
        kind: "sheet",
        title: `/${path}`,
        lines: lines.length ? lines : ["Nothing."],
        top: 0,
      }),
    );
  else tell(ports, first ? `/${path}: ${first}` : `/${path} done`, "success");
}

/** Views as clean lines of text; tables of the same columns that follow each other are one table. */
export function viewLines(views: readonly View[], utc: boolean): string[] {
  const joined: View[] = [];
  for (const view of views) {
    const last = joined.at(-1);
    if (last?.kind === "table" && view.kind === "table" && last.columns.join() === view.columns.join())
      joined[joined.length - 1] = { ...last, rows: [...last.rows, ...view.rows] };
    else joined.push(view);
  }
  return joined.flatMap((view) => linesOf(view, utc));
}

function linesOf(view: View, utc: boolean): string[] {
  const cell = (value: unknown): string => {
    const text = String(value ?? "");
    return ISO_TIME.test(text) ? stamp(timeToMs(text), { utc }) : text;
  };
  switch (view.kind) {
    case "line":
      return clean(view.text).split("\n");
    case "text":
      return view.lines.map((line) => clean(line).replaceAll("\n", " "));
    case "fields":
      return aligned(view.fields.map(([name, value]) => [name, cell(value)]));
    case "table":
      return aligned([view.columns.map((c) => c.toUpperCase()), ...view.rows.map((r) => r.map(cell))]);
    case "messages":
      return view.messages.map(
        (m) => `${clock(timeToMs(m.created_at), { utc })} ${userName(m.user)}: ${cleanLine(m.text)}`,
      );
  }
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => cleanLine(cell)));
  const widths: number[] = [];
  for (const row of cells)
    row.forEach((c, i) => (widths[i] = Math.min(40, Math.max(widths[i] ?? 0, cellWidth(c)))));
  return cells.map((row) => row.map((c, i) => (i === row.length - 1 ? c : padEnd(c, widths[i]!))).join("  "));
}
