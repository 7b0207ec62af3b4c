/** Actions on the composer's text: typing, moving, history, completion, ending an edit, `$EDITOR`. */
import { words } from "../../../text/words.ts";
import { pushKill, insert, move, moveVertically, setText } from "../../editor/edits.ts";
import { stepHistory } from "../../editor/history.ts";
import { replaceRange, type EditorState } from "../../editor/state.ts";
import { layouter, textLayout } from "./rows.ts";
import { recordEmojiUse } from "../../screen/emoji-use.ts";
import { withCompletion, withFocus } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import type { CompletionState } from "../../screen/screen.ts";
import { lastOwn } from "../../../model/permissions.ts";
import { pathCompletion } from "../files/attach-paths.ts";
import { cyclePane } from "../messages/navigation.ts";
import { isCommand } from "./enter-command.ts";
import { submit } from "./submit.ts";
import { showNotice, attempt } from "../../screen/notices.ts";

/** Changes the editor, and updates the completion list. */
export function apply({ boxes }: Pick<Ports, "boxes">, change: (editor: EditorState) => EditorState): void {
  const { editor: before } = boxes.at();
  const editor = change(before);
  if (editor === before) return;
  boxes.setEditor(editor);
  boxes.updateCompletion(editor.text !== before.text);
}

/** Works before a channel is open, too: the first channel takes the text over. */
export function insertText(ports: Ports, text: string): void {
  apply(ports, (editor) => insert(editor, text));
}

/** Begins a command line in the box, whatever has the focus. */
export function beginLine({ store, boxes }: Pick<Ports, "store" | "boxes">, line: string): void {
  store.update((s) => withFocus(s, "composer"));
  boxes.beginLine(line);
  boxes.updateCompletion(true);
}

/** Moves the cursor to the row above or below; false at the first and the last. */
export function moveRow(ports: Ports, by: -1 | 1): boolean {
  const composer = ports.boxes.at();
  const layout = textLayout(composer, ports.store.get().layout.composer.width);
  const moved = moveVertically(composer.editor, by, layout, layouter);
  if (moved) ports.boxes.setEditor(moved);
  return moved !== undefined;
}

/** ↑: a row up; in an empty composer it edits the user's last message. */
export function up(ports: Ports): void {
  if (moveRow(ports, -1)) return;
  if (ports.boxes.at().editor.text === "") editLast(ports);
  else apply(ports, (editor) => move(editor, "start"));
}

export function down(ports: Ports): void {
  if (!moveRow(ports, 1)) apply(ports, (editor) => move(editor, "finish"));
}

export function walkHistory(ports: Ports, by: -1 | 1): void {
  const composer = ports.boxes.at();
  const step = stepHistory(ports.boxes.history, composer.editor, by);
  if (!step) return;
  ports.boxes.history = step.history;
  ports.boxes.setEditor(step.state);
}

export function editLast(ports: Ports): void {
  const { place } = ports.boxes;
  const message = place && lastOwn(ports.store.state, place, ports.core.userId);
  if (message?.status === "sending") showNotice(ports, words.message.onItsWay);
  else if (message) ports.boxes.edit(message);
}

/** Tab: completes the word before the cursor, else focuses the next pane (specification/screen.md §4). */
export function completeOrMove(ports: Ports): void {
  const { editor } = ports.boxes.at();
  const paths = pathCompletion(ports.disk, editor.text.slice(0, editor.cursor));
  const offering = paths?.then((found) => offerPaths(ports, editor, found));
  if (offering) return attempt(ports, offering);
  ports.boxes.updateCompletion(true);
  if (ports.store.screen.completion?.items.length) {
    if (ports.store.screen.completion.items.length === 1) acceptCompletion(ports);
  } else cyclePane(1)(ports);
}

/** Ignored when the text was changed meanwhile. */
function offerPaths(ports: Ports, editor: EditorState, found: CompletionState | undefined): void {
  if (ports.boxes.at().editor !== editor) return;
  if (!found) return showNotice(ports, words.files.none, "warning");
  ports.store.update((s) => withCompletion(s, found));
  if (found.items.length === 1) acceptCompletion(ports);
}

/** Inserts the selected completion. */
export function acceptCompletion(ports: Ports): void {
  const { completion } = ports.store.screen;
  const item = completion?.items[completion.selected];
  if (!completion || !item) return;
  const { editor } = ports.boxes.at();
  ports.store.update((s) => withCompletion(s, undefined));
  const insertion = editor.text[editor.cursor] === " " ? item.insert.trimEnd() : item.insert;
  const { user, emoji } = item;
  if (emoji !== undefined) recordEmojiUse(ports.core, emoji);
  ports.boxes.setEditor(replaceRange(editor, completion.start, editor.cursor, insertion));
  if (user) ports.boxes.change((composer) => composer.choose(user, completion.start));
  ports.boxes.updateCompletion(true);
}

/** Whether Enter runs the line as typed, whatever the list suggests. */
export function enterRuns(ports: Ports): boolean {
  const { completion } = ports.store.screen;
  const { editor } = ports.boxes.at();
  if (!completion || completion.browsed || !isCommand(ports, editor.text)) return false;
  const typed = editor.text.slice(completion.start, editor.cursor);
  // A partial name is completed first.
  return !/^[@#]/.test(typed) || completion.items.some(({ insert: whole }) => whole.trim() === typed);
}

/** Enter: runs a complete command, else inserts the selected completion. */
export function acceptOrSend(ports: Ports): void {
  if (enterRuns(ports)) submit(ports);
  else acceptCompletion(ports);
}

export function chooseCompletion(ports: Ports, by: 1 | -1): void {
  ports.store.update((s) => {
    const { completion } = s;
    if (!completion?.items.length) return s;
    const selected = (completion.selected + by + completion.items.length) % completion.items.length;
    return withCompletion(s, { ...completion, selected, browsed: true });
  });
}

/** Sends this message with previews of its links, or without; the addresses stay in the text (R-LINK-10). */
export function toggleLinkPreviews(ports: Ports): void {
  const { place } = ports.boxes;
  if (!place) return;
  const { previews, editing } = ports.boxes.at(place);
  const { links } = ports.boxes.composer(place);
  if (editing) return showNotice(ports, words.links.editing);
  if (!links.arePossible()) return showNotice(ports, words.links.impossible);
  const shows = previews.length === 0 || previews.some(({ status }) => status !== "dismissed");
  const on = !(links.isOn() && shows);
  ports.boxes.change(() => links.choose(on));
  // With links their rows say so.
  if (previews.length === 0) showNotice(ports, words.links.chosen(on));
}

export function alsoChannel(ports: Ports): void {
  const place = ports.boxes.place;
  if (place?.parentId === undefined) return showNotice(ports, words.acting.onlyReplies);
  const { alsoChannel: on } = ports.boxes.at();
  ports.boxes.change((composer) => composer.showInChannel(!on));
}

/** Esc in the uncovered composer ends an edit or a quote; true when there was one. */
export function escapeBox(ports: Pick<Ports, "boxes" | "store" | "core">): boolean {
  const { completion, popups, pendingKey, focus } = ports.store.screen;
  const isCovered = completion !== undefined || popups.length > 0 || pendingKey !== undefined;
  return !isCovered && focus === "composer" && leaveMode(ports);
}

/** Ends an edit or a quote; true when there was one. A changed text of the edit is kept in the history and for Ctrl-Y. */
export function leaveMode({ boxes, store, core }: Pick<Ports, "boxes" | "store" | "core">): boolean {
  const { editing, quote, editor } = boxes.at();
  if (!editing && !quote) return false;
  store.update((s) => withCompletion(s, undefined));
  if (!editing) {
    boxes.change((composer) => composer.quote(undefined));
    return true;
  }
  boxes.change((composer) => composer.edit(undefined));
  if (editor.text.trim() === "" || editor.text === editing.message.text) return true;
  boxes.remember(editor.text);
  boxes.setEditor(pushKill(boxes.at().editor, editor.text));
  showNotice({ core }, words.notices.editLeft);
  return true;
}

export function externalEditor(ports: Ports): void {
  const place = ports.boxes.place;
  if (!place) return;
  const before = ports.boxes.at(place).editor.text;
  const edited = ports.terminal.editExternally(before).then((text) => {
    if (text === undefined || text === before) return;
    ports.boxes.setEditor(setText(ports.boxes.at(place).editor, text.replace(/\n$/, "")), place, true);
  });
  attempt(ports, edited);
}
