/** Typing, editing, completing, sending, history and `$EDITOR` in the composer. */
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
import { pathCompletion } from "../files/line.ts";
import { cyclePane } from "../messages/navigation.ts";
import { isCommand, submit } from "./slash.ts";
import { showNotice, attempt } from "../../screen/notices.ts";

/** Changes the text, and offers what could complete it then. */
export function apply({ boxes }: Pick<Ports, "boxes">, change: (editor: EditorState) => EditorState): void {
  const { editor: before } = boxes.at();
  const editor = change(before);
  if (editor === before) return;
  boxes.put(editor);
  boxes.offer(editor.text !== before.text);
}

/** Before a channel is open the text waits in the box for it. */
export function insertText(ports: Ports, text: string): void {
  apply(ports, (editor) => insert(editor, text));
}

/** A line is begun in the box; what stood there can be undone to, and walked back to. */
export function beginLine(ports: Ports, line: string): void {
  ports.store.update((s) => withFocus(s, "composer"));
  ports.boxes.remember(ports.boxes.at().editor.text);
  apply(ports, (editor) => setText(editor, line));
}

/** To the row above or below; false at the first and the last. */
export function vertically(ports: Ports, by: -1 | 1): boolean {
  const composer = ports.boxes.at();
  const laid = textLayout(composer, ports.store.get().layout.composer.width);
  const moved = moveVertically(composer.editor, by, laid, layouter);
  if (moved) ports.boxes.put(moved);
  return moved !== undefined;
}

/** ↑: a row up; on an empty box my last message is edited. */
export function up(ports: Ports): void {
  if (vertically(ports, -1)) return;
  if (ports.boxes.at().editor.text === "") editLast(ports);
  else apply(ports, (editor) => move(editor, "start"));
}

export function down(ports: Ports): void {
  if (!vertically(ports, 1)) apply(ports, (editor) => move(editor, "finish"));
}

export function history(ports: Ports, by: -1 | 1): void {
  const composer = ports.boxes.at();
  const walked = stepHistory(ports.boxes.history, composer.editor, by);
  if (!walked) return;
  ports.boxes.history = walked.history;
  ports.boxes.put(walked.state);
}

export function editLast(ports: Ports): void {
  const { place } = ports.boxes;
  const message = place && lastOwn(ports.store.state, place, ports.core.userId);
  if (message?.status === "sending") showNotice(ports, words.message.onItsWay);
  else if (message) ports.boxes.edit(message);
}

/** Tab: the list of what can be completed, else the next pane (specification/screen.md §4). */
export function completeOrMove(ports: Ports): void {
  const { editor } = ports.boxes.at();
  const paths = pathCompletion(ports.disk, editor.text.slice(0, editor.cursor));
  if (paths)
    return attempt(
      ports,
      paths.then((found) => offerPaths(ports, editor, found)),
    );
  ports.boxes.offer(true);
  if (ports.store.screen.completion?.items.length) {
    if (ports.store.screen.completion.items.length === 1) accept(ports);
  } else cyclePane(1)(ports);
}

/** Where something else was typed meanwhile, they come too late. */
function offerPaths(ports: Ports, editor: EditorState, found: CompletionState | undefined): void {
  if (ports.boxes.at().editor !== editor) return;
  if (!found) return showNotice(ports, words.files.none, "warning");
  ports.store.update((s) => withCompletion(s, found));
  if (found.items.length === 1) accept(ports);
}

/** Tab: the choice goes into the text. */
export function accept(ports: Ports): void {
  const { completion } = ports.store.screen;
  const item = completion?.items[completion.selected];
  if (!completion || !item) return;
  const { editor } = ports.boxes.at();
  ports.store.update((s) => withCompletion(s, undefined));
  const rest = editor.text[editor.cursor] === " " ? item.insert.trimEnd() : item.insert;
  const { user, emoji } = item;
  if (emoji !== undefined) recordEmojiUse(ports.core, emoji);
  if (user) ports.boxes.change(({ suggestions }) => suggestions.remember(user));
  ports.boxes.put(replaceRange(editor, completion.start, editor.cursor, rest));
  ports.boxes.offer(true);
}

/** Enter: a command that is written in full runs as it is written, whatever the list suggests; else the choice is taken. */
export function acceptOrSend(ports: Ports): void {
  const { completion } = ports.store.screen;
  const { editor } = ports.boxes.at();
  if (!completion || completion.browsed || !isCommand(ports, editor.text)) return accept(ports);
  const typed = editor.text.slice(completion.start, editor.cursor);
  // Half a name of somebody is meant to become a whole one.
  const half = /^[@#]/.test(typed) && !completion.items.some(({ insert: whole }) => whole.trim() === typed);
  if (half) accept(ports);
  else submit(ports);
}

export function chooseCompletion(ports: Ports, by: 1 | -1): void {
  ports.store.update((s) => {
    const { completion } = s;
    if (!completion?.items.length) return s;
    const selected = (completion.selected + by + completion.items.length) % completion.items.length;
    return withCompletion(s, { ...completion, selected, browsed: true });
  });
}

/** The previews go; the addresses stay in the text (R-LINK). */
export function dismissPreviews(ports: Ports): void {
  const previews = ports.boxes
    .at()
    .previews.filter(({ status }) => status !== "dismissed" && status !== "failed");
  if (previews.length === 0) return showNotice(ports, words.notices.noPreview);
  ports.boxes.change(({ links }) => {
    for (const { url } of previews) links.dismiss(url);
  });
}

export function alsoChannel(ports: Ports): void {
  const place = ports.boxes.place;
  if (place?.parentId === undefined) return showNotice(ports, words.acting.onlyReplies);
  const { alsoChannel: on } = ports.boxes.at();
  ports.boxes.change((composer) => composer.showInChannel(!on));
}

/** Esc where nothing lies over the box: it ends an edit or a quote. True when there was one. */
export function escapeBox(ports: Pick<Ports, "boxes" | "store" | "core">): boolean {
  const { completion, popups, pendingKey, focus } = ports.store.screen;
  const over = completion !== undefined || popups.length > 0 || pendingKey !== undefined;
  return !over && focus === "composer" && leaveMode(ports);
}

/** An edit or a quote: the mode ends, and what was written stays: of an edit it can be put back. True when there was one. */
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
  boxes.put(pushKill(boxes.at().editor, editor.text));
  showNotice({ core }, words.notices.editLeft);
  return true;
}

export function externalEditor(ports: Ports): void {
  const place = ports.boxes.place;
  if (!place) return;
  const before = ports.boxes.at(place).editor.text;
  attempt(
    ports,
    ports.terminal.editExternally(before).then((text) => {
      if (text === undefined || text === before) return;
      ports.boxes.put(setText(ports.boxes.at(place).editor, text.replace(/\n$/, "")), place, true);
    }),
  );
}
