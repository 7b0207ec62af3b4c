/** Vim's visual mode: text is selected by motions, and one key acts on all of it. */
import { lineStart, nextBoundary, previousBoundary } from "./boundaries.ts";
import { cut } from "./edits.ts";
import { moveTo, replaceRange, type EditorState } from "./state.ts";
import { joinLines, otherCase } from "./vim-changes.ts";
import type { TextRange } from "./vim-motions.ts";
import { asOperator, wholeLines, operate } from "./vim-operators.ts";
import {
  ended,
  idle,
  settled,
  waits,
  writeAt,
  type Operator,
  type Pressed,
  type Vim,
  type Visual,
} from "./vim-state.ts";

/** What is selected, with the character under the cursor; lines without the end of the last one. Undefined where nothing is. */
export function visualSpan({ visual }: Vim, { text, cursor }: EditorState): TextRange | undefined {
  if (!visual) return undefined;
  const start = Math.min(visual.at, cursor);
  const last = Math.max(visual.at, cursor);
  if (visual.kind === "lines") return wholeLines(text, { start, end: last });
  return { start, end: Math.min(text.length, nextBoundary(text, last)) };
}

/** Selecting begins at the cursor; the same key ends it, the other one changes what is taken. */
export function begun(vim: Vim, editor: EditorState, kind: Visual["kind"]): Pressed {
  if (vim.visual?.kind === kind) return { vim: ended(vim), editor };
  return { vim: { ...idle(vim), visual: { kind, at: vim.visual?.at ?? editor.cursor } }, editor };
}

type Key = (vim: Vim, editor: EditorState) => Pressed;

/** An operator on what is selected; `lines`: on all of its lines. */
const taking =
  (name: Operator, lines = false): Key =>
  (vim, editor) =>
    operate(asOperator(vim, name), editor, visualSpan(vim, editor)!, lines || vim.visual!.kind === "lines");

/** The selected text made another one, the cursor at its start. */
function remadeAll(vim: Vim, editor: EditorState, make: (text: string) => string): Pressed {
  const { start, end } = visualSpan(vim, editor)!;
  const next = replaceRange(editor, start, end, make(editor.text.slice(start, end)));
  return { vim: ended(vim), editor: settled(moveTo(next, start)) };
}

/** Every character but the ends of lines becomes that one. */
export const replaced = (vim: Vim, editor: EditorState, char: string): Pressed =>
  remadeAll(vim, editor, (old) => {
    let made = "";
    for (let at = 0; at < old.length; at = nextBoundary(old, at)) made += old[at] === "\n" ? "\n" : char;
    return made;
  });

/** What was deleted or copied takes the place of what is selected, which can be put back then. */
function putOver(vim: Vim, editor: EditorState): Pressed {
  const [top = ""] = editor.kills;
  const { start, end } = visualSpan(vim, editor)!;
  const lines = top.endsWith("\n");
  const inner = lines ? top.slice(0, -1) : top;
  const splits = lines && vim.visual!.kind === "chars";
  const put = splits ? `\n${inner}\n` : inner;
  const next = replaceRange(cut(editor, editor.text.slice(start, end)), start, end, put);
  const to = lines
    ? start + Number(splits)
    : Math.max(start, previousBoundary(next.text, start + put.length));
  return { vim: ended(vim), editor: settled(moveTo(next, to)) };
}

/** All lines of the selection become one. */
function joined(vim: Vim, editor: EditorState): Pressed {
  const { start, end } = visualSpan(vim, editor)!;
  const count = editor.text.slice(start, end).split("\n").length;
  return joinLines({ ...ended(vim), count }, moveTo(editor, start));
}

/** The cursor goes to the other end. */
const turned: Key = (vim, editor) => ({
  vim: { ...vim, visual: { ...vim.visual!, at: editor.cursor } },
  editor: moveTo(editor, vim.visual!.at),
});

/** Where a key means something else than without a selection. */
export const VISUAL_KEYS = {
  delete: taking("delete"),
  erase: taking("delete"),
  eraseLeft: taking("delete", true),
  deleteToEnd: taking("delete", true),
  change: taking("change"),
  changeLetter: taking("change"),
  changeToEnd: taking("change", true),
  changeLine: taking("change", true),
  yank: taking("yank"),
  yankLine: taking("yank", true),
  put: putOver,
  putBefore: putOver,
  otherCase: (vim, editor) => remadeAll(vim, editor, otherCase),
  join: joined,
  insert: (vim, editor) => waits(vim, editor, "inner", "i"),
  append: (vim, editor) => waits(vim, editor, "around", "a"),
  insertFirst: (vim, editor) => writeAt(editor, lineStart(editor.text, visualSpan(vim, editor)!.start)),
  appendLast: (vim, editor) => writeAt(editor, visualSpan(vim, editor)!.end),
  openBelow: turned,
  openAbove: turned,
} satisfies Record<string, Key>;
