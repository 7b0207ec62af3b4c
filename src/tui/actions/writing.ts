/** What happens in the box: typing, editing, completing, sending, history and `$EDITOR`. */
import { words } from "../../text/words.ts";
import { completionFor } from "../complete/complete.ts";
import { edit, insert, move, moveVertically, paste, setText } from "../editor/edits.ts";
import type { Edit, Motion } from "../editor/edits.ts";
import { walk } from "../editor/history.ts";
import { replaceRange } from "../editor/state.ts";
import type { EditorState } from "../editor/state.ts";
import { layouter, textLayout } from "../panes/composer.ts";
import { channelTitle, listed, others } from "../../model/channels.ts";
import { beginEdit, cleared, withEditor } from "../screen/composer.ts";
import { completing, focused } from "../screen/moves.ts";
import type { Ui } from "../ui.ts";
import { lastOwn } from "../views/messages/allowed.ts";
import { pane } from "../views/messages/moving.ts";
import { submit } from "./slash.ts";

/** Longer pastes are asked about: lines, and characters. */
const PASTE_LINES = 20;
const PASTE_LENGTH = 4000;

function apply(ui: Ui, change: (editor: EditorState) => EditorState): void {
  const composer = ui.composer();
  const editor = change(composer.editor);
  if (editor === composer.editor) return;
  ui.compose(withEditor(composer, editor));
  offer(ui, editor.text !== composer.editor.text);
}

/** The completion list for what now stands before the cursor; moving about closes it. */
export function offer(ui: Ui, changed: boolean): void {
  const { editor } = ui.composer();
  const before = editor.text.slice(0, editor.cursor);
  // Most keys stand in plain words: nothing is looked up for them.
  const possible = changed && (before.startsWith("/") || /[@#:]\S*$/.test(before.slice(-64)));
  if (!possible) {
    if (ui.screen.completion) ui.change((s) => completing(s, undefined));
    return;
  }
  const entry = ui.entry(ui.writing()?.cid);
  const completion = completionFor(before, {
    people: entry ? others(entry, ui.core.userId) : [],
    channels: listed(ui.state).map((e) => ({ cid: e.cid, title: channelTitle(e, ui.core.userId) })),
    providerCommands: entry?.channel.config?.commands ?? [],
  });
  ui.change((s) => completing(s, completion));
}

/** Without a channel there is nowhere to write. */
export function insertText(ui: Ui, text: string): void {
  if (ui.writing()) apply(ui, (editor) => insert(editor, text));
}

/** Bracketed paste: at once when short, after a question when long; a file's worth of lines is never sent by accident. */
export function pasteText(ui: Ui, text: string): void {
  const lines = text.split(/\r\n?|\n/).length;
  const put = (): void => {
    ui.change((s) => focused(s, "composer"));
    apply(ui, (editor) => paste(editor, text));
  };
  if (lines <= PASTE_LINES && text.length <= PASTE_LENGTH) return put();
  ui.ask({ level: "mild", question: words.notices.bigPaste(lines) }, put);
}

export const edits =
  (name: Edit) =>
  (ui: Ui): void =>
    apply(ui, (editor) => edit(editor, name));
export const moves =
  (name: Motion) =>
  (ui: Ui): void =>
    apply(ui, (editor) => move(editor, name));

function vertically(ui: Ui, by: -1 | 1): boolean {
  const composer = ui.composer();
  const laid = textLayout(composer, ui.model.layout.composer.width);
  const moved = moveVertically(composer.editor, by, laid, layouter);
  if (moved) ui.compose(withEditor(composer, moved));
  return moved !== undefined;
}

/** ↑: a row up; on an empty box my last message is edited. */
export function up(ui: Ui): void {
  if (vertically(ui, -1)) return;
  if (ui.composer().editor.text === "") editLast(ui);
  else apply(ui, (editor) => move(editor, "start"));
}

export function down(ui: Ui): void {
  if (!vertically(ui, 1)) apply(ui, (editor) => move(editor, "finish"));
}

export function history(ui: Ui, by: -1 | 1): void {
  const composer = ui.composer();
  const walked = walk(ui.history, composer.editor, by);
  if (!walked) return;
  ui.history = walked.history;
  ui.compose(withEditor(composer, walked.state));
}

export function editLast(ui: Ui): void {
  const message = lastOwn(ui);
  if (message) ui.compose(beginEdit(ui.composer(), message), undefined, true);
}

/** Tab: the list of what can be completed, else the next pane (specification/screen.md §4). */
export function complete(ui: Ui): void {
  offer(ui, true);
  if (ui.screen.completion?.items.length) {
    if (ui.screen.completion.items.length === 1) accept(ui);
  } else pane(1)(ui);
}

export function accept(ui: Ui): void {
  const { completion } = ui.screen;
  const item = completion?.items[completion.selected];
  if (!completion || !item) return;
  const composer = ui.composer();
  const { editor } = composer;
  const typed = editor.text.slice(completion.start, editor.cursor);
  ui.change((s) => completing(s, undefined));
  // The command is written in full already: what Enter means is "run it".
  if (typed.startsWith("/") && item.insert.trim() === typed) return submit(ui);
  const rest = editor.text[editor.cursor] === " " ? item.insert.trimEnd() : item.insert;
  ui.compose(withEditor(composer, replaceRange(editor, completion.start, editor.cursor, rest)));
  offer(ui, true);
}

export function chooseCompletion(ui: Ui, by: 1 | -1): void {
  ui.change((s) => {
    const { completion } = s;
    if (!completion?.items.length) return s;
    const selected = (completion.selected + by + completion.items.length) % completion.items.length;
    return completing(s, { ...completion, selected });
  });
}

export function alsoChannel(ui: Ui): void {
  const place = ui.writing();
  if (place?.parentId === undefined)
    return ui.tell("Only a reply in a thread can also be shown in the channel.");
  const composer = ui.composer();
  ui.compose({ ...composer, alsoChannel: !composer.alsoChannel });
}

/** Ctrl-C: the edit or the text goes (it can be walked back to); on an empty box the second press leaves. */
export function clearOrLeave(ui: Ui): void {
  const place = ui.writing();
  const next = place ? cleared(ui.composer()) : undefined;
  if (next) {
    const { text } = ui.composer().editor;
    if (!ui.composer().editing) ui.keepHistory(text);
    ui.change((s) => completing(s, undefined));
    return ui.compose(next);
  }
  if (ui.screen.leaving) return ui.ports.quit();
  ui.change((s) => ({ ...s, leaving: true }));
}

export function externalEditor(ui: Ui): void {
  const place = ui.writing();
  if (!place) return;
  const before = ui.composer(place).editor.text;
  ui.try(
    ui.ports.editExternally(before).then((text) => {
      if (text === undefined || text === before) return;
      const composer = ui.composer(place);
      ui.compose(withEditor(composer, setText(composer.editor, text.replace(/\n$/, ""))), place, true);
    }),
  );
}
