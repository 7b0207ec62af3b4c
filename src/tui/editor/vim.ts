/** Vim's normal mode on a text: counts, operators, motions and objects, from one key to the next. Plain immutable data. */
import { lineEnd, lineStart, nextBoundary, previousBoundary } from "./boundaries.ts";
import { cut } from "./edits.ts";
import { moveTo, replaceRange } from "./state.ts";
import type { EditorState } from "./state.ts";
import { findReach, objectSpan, VIM_MOTIONS } from "./vim-motions.ts";
import type { Find, Reach, Span, VimMotion } from "./vim-motions.ts";

type Operator = "delete" | "change" | "yank";

/** What was begun and waits for more keys. */
export interface Vim {
  /** As they were pressed, for the eye. */
  readonly keys: string;
  readonly count?: number;
  readonly operator?: Operator;
  /** The count before the operator. */
  readonly times?: number;
  /** What the next character is for. */
  readonly awaits?: Find | "inner" | "around" | "replace";
  readonly found?: { how: Find; char: string };
}

/** Nothing is begun. */
export const NORMAL: Vim = { keys: "" };

/** After a key; without `vim` the text is written again. */
export interface Pressed {
  vim: Vim | undefined;
  editor: EditorState;
}

const idle = ({ found }: Vim): Vim => ({ ...NORMAL, ...(found && { found }) });

const countOf = ({ count = 1, times = 1 }: Vim): number => Math.min(10_000, count * times);

/** The cursor stands on a character, not behind the last one of its line. */
export function settled(editor: EditorState): EditorState {
  const { text, cursor } = editor;
  const end = lineEnd(text, cursor);
  return cursor === end && cursor > lineStart(text, cursor)
    ? moveTo(editor, previousBoundary(text, end))
    : editor;
}

/** Back from writing: the cursor goes onto the character before it. */
export const leaveWriting = (editor: EditorState): EditorState =>
  moveTo(
    editor,
    Math.max(lineStart(editor.text, editor.cursor), previousBoundary(editor.text, editor.cursor)),
  );

/** Whole lines, without the line end behind them. */
const linesOf = (text: string, { start, end }: Span): Span => ({
  start: lineStart(text, start),
  end: lineEnd(text, end),
});

/** Deletes, changes or copies; what went can be put back. */
function operate(vim: Vim, editor: EditorState, span: Span, lines: boolean): Pressed {
  const { text } = editor;
  const { start, end } = lines ? linesOf(text, span) : span;
  if (start === end && !lines && vim.operator !== "change") return { vim: idle(vim), editor };
  const taken = text.slice(start, end) + (lines ? "\n" : "");
  const kept = taken === "" ? editor : cut(editor, taken);
  if (vim.operator === "yank")
    return { vim: idle(vim), editor: lines ? kept : moveTo(kept, Math.min(start, editor.cursor)) };
  if (vim.operator === "change")
    return { vim: undefined, editor: moveTo(replaceRange(kept, start, end, ""), start) };
  if (!lines) return { vim: idle(vim), editor: settled(moveTo(replaceRange(kept, start, end, ""), start)) };
  const last = end === text.length;
  const gone = replaceRange(kept, last ? Math.max(0, start - 1) : start, last ? end : end + 1, "");
  const at = VIM_MOTIONS.firstLetter(gone.text, Math.min(start, gone.text.length)).to;
  return { vim: idle(vim), editor: settled(moveTo(gone, at)) };
}

/** What an operator takes on the way to `to`. */
function spanTo(text: string, from: number, { to, kind }: Reach): Span {
  const [start, end] = [Math.min(from, to), Math.max(from, to)];
  return { start, end: kind === "through" ? nextBoundary(text, end) : end };
}

function moved(vim: Vim, editor: EditorState, reach: Reach | undefined): Pressed {
  if (!reach) return { vim: idle(vim), editor };
  if (vim.operator)
    return operate(vim, editor, spanTo(editor.text, editor.cursor, reach), reach.kind === "lines");
  return { vim: idle(vim), editor: settled(moveTo(editor, reach.to)) };
}

/** `cw` stops where the word does, and `dw` with the line. */
function wordReach(vim: Vim, { text, cursor }: EditorState): Reach {
  const n = countOf(vim);
  const onWord = /\S/.test(text[cursor] ?? " ");
  if (vim.operator === "change" && onWord) {
    const last = VIM_MOTIONS.wordEnd(text, Math.max(0, cursor - 1), 1).to;
    return n === 1 && last >= cursor ? { to: last, kind: "through" } : VIM_MOTIONS.wordEnd(text, cursor, n);
  }
  const reach = VIM_MOTIONS.word(text, cursor, n);
  const end = lineEnd(text, cursor);
  return vim.operator && n === 1 && reach.to > end && end > cursor ? { ...reach, to: end } : reach;
}

function motion(vim: Vim, editor: EditorState, name: VimMotion): Pressed {
  const counted = vim.count !== undefined || vim.times !== undefined;
  const reach =
    name === "word"
      ? wordReach(vim, editor)
      : VIM_MOTIONS[name](editor.text, editor.cursor, countOf(vim), counted);
  return moved(vim, editor, reach);
}

/** `d` waits for what it is to delete; `dd` takes lines. */
function operator(vim: Vim, editor: EditorState, name: Operator, key: string): Pressed {
  if (vim.operator === name) {
    const { to } = VIM_MOTIONS.down(editor.text, editor.cursor, countOf(vim) - 1);
    return operate(vim, editor, { start: editor.cursor, end: to }, true);
  }
  if (vim.operator) return { vim: idle(vim), editor };
  const { count, found } = vim;
  return {
    vim: {
      keys: vim.keys + key,
      operator: name,
      ...(count !== undefined && { times: count }),
      ...(found && { found }),
    },
    editor,
  };
}

function put(vim: Vim, editor: EditorState, before: boolean): Pressed {
  const [top = ""] = editor.kills;
  const { text, cursor } = editor;
  const all = top.repeat(Math.min(countOf(vim), Math.max(1, Math.floor(100_000 / (top.length || 1)))));
  if (all === "") return { vim: idle(vim), editor };
  if (!top.endsWith("\n")) {
    const at = before || cursor === lineEnd(text, cursor) ? cursor : nextBoundary(text, cursor);
    const next = replaceRange(editor, at, at, all);
    return { vim: idle(vim), editor: settled(moveTo(next, previousBoundary(next.text, next.cursor))) };
  }
  const at = before ? lineStart(text, cursor) : lineEnd(text, cursor);
  const next = replaceRange(editor, at, at, before ? all : `\n${all.slice(0, -1)}`);
  return { vim: idle(vim), editor: settled(moveTo(next, before ? at : at + 1)) };
}

const asOperator = (vim: Vim, name: Operator): Vim => ({ ...vim, operator: name });

function join(vim: Vim, editor: EditorState): Pressed {
  let next = editor;
  for (let i = 0; i < Math.max(1, countOf(vim) - 1); i++) {
    const end = lineEnd(next.text, next.cursor);
    if (end === next.text.length) break;
    const blanks = /^\n[^\S\n]*/.exec(next.text.slice(end))![0].length;
    next = moveTo(replaceRange(next, end, end + blanks, " "), end);
  }
  return { vim: idle(vim), editor: settled(next) };
}

/** Characters of the line from the cursor on, each made another one. */
function remade(vim: Vim, editor: EditorState, make: (char: string) => string, past: boolean): Pressed {
  const { text, cursor } = editor;
  const { to } = VIM_MOTIONS.right(text, cursor, countOf(vim));
  if (to === cursor) return { vim: idle(vim), editor };
  const next = replaceRange(editor, cursor, to, make(text.slice(cursor, to)));
  return {
    vim: idle(vim),
    editor: settled(past ? next : moveTo(next, previousBoundary(next.text, next.cursor))),
  };
}

const otherCase = (text: string): string =>
  [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join("");

const writeAt = (editor: EditorState, to: number): Pressed => ({
  vim: undefined,
  editor: moveTo(editor, to),
});

function opened(editor: EditorState, above: boolean): Pressed {
  const { text, cursor } = editor;
  const at = above ? lineStart(text, cursor) : lineEnd(text, cursor);
  return writeAt(replaceRange(editor, at, at, "\n"), above ? at : at + 1);
}

const waits = (vim: Vim, editor: EditorState, awaits: NonNullable<Vim["awaits"]>, key: string): Pressed => ({
  vim: { ...vim, keys: vim.keys + key, awaits },
  editor,
});

function again(vim: Vim, editor: EditorState, turned: boolean): Pressed {
  if (!vim.found) return { vim: idle(vim), editor };
  const { how, char } = vim.found;
  const other = { find: "findBack", findBack: "find", till: "tillBack", tillBack: "till" } as const;
  const way = turned ? other[how] : how;
  return moved(vim, editor, findReach(editor.text, editor.cursor, way, char, countOf(vim), true));
}

const motionOf =
  (name: VimMotion) =>
  (vim: Vim, editor: EditorState): Pressed =>
    motion(vim, editor, name);

/** What a key of the table does. */
export const VIM_KEYS = {
  left: motionOf("left"),
  right: motionOf("right"),
  up: motionOf("up"),
  down: motionOf("down"),
  word: motionOf("word"),
  back: motionOf("back"),
  wordEnd: motionOf("wordEnd"),
  lineStart: motionOf("lineStart"),
  firstLetter: motionOf("firstLetter"),
  lineEnd: motionOf("lineEnd"),
  textStart: motionOf("textStart"),
  textEnd: motionOf("textEnd"),
  find: (vim, editor) => waits(vim, editor, "find", "f"),
  till: (vim, editor) => waits(vim, editor, "till", "t"),
  findBack: (vim, editor) => waits(vim, editor, "findBack", "F"),
  tillBack: (vim, editor) => waits(vim, editor, "tillBack", "T"),
  again: (vim, editor) => again(vim, editor, false),
  againBack: (vim, editor) => again(vim, editor, true),
  delete: (vim, editor) => operator(vim, editor, "delete", "d"),
  change: (vim, editor) => operator(vim, editor, "change", "c"),
  yank: (vim, editor) => operator(vim, editor, "yank", "y"),
  erase: (vim, editor) => motion(asOperator(vim, "delete"), editor, "right"),
  eraseLeft: (vim, editor) => motion(asOperator(vim, "delete"), editor, "left"),
  deleteToEnd: (vim, editor) => motion(asOperator(vim, "delete"), editor, "lineEnd"),
  changeToEnd: (vim, editor) => motion(asOperator(vim, "change"), editor, "lineEnd"),
  changeLetter: (vim, editor) => motion(asOperator(vim, "change"), editor, "right"),
  changeLine: (vim, editor) => operator(asOperator(vim, "change"), editor, "change", ""),
  yankLine: (vim, editor) => operator(asOperator(vim, "yank"), editor, "yank", ""),
  put: (vim, editor) => put(vim, editor, false),
  putBefore: (vim, editor) => put(vim, editor, true),
  replace: (vim, editor) => waits(vim, editor, "replace", "r"),
  otherCase: (vim, editor) => remade(vim, editor, otherCase, true),
  join,
  insert: (vim, editor) => (vim.operator ? waits(vim, editor, "inner", "i") : writeAt(editor, editor.cursor)),
  append: (vim, editor) =>
    vim.operator
      ? waits(vim, editor, "around", "a")
      : writeAt(editor, VIM_MOTIONS.right(editor.text, editor.cursor, 1).to),
  insertFirst: (_, editor) => writeAt(editor, VIM_MOTIONS.firstLetter(editor.text, editor.cursor).to),
  appendLast: (_, editor) => writeAt(editor, lineEnd(editor.text, editor.cursor)),
  openBelow: (_, editor) => opened(editor, false),
  openAbove: (_, editor) => opened(editor, true),
} satisfies Record<string, (vim: Vim, editor: EditorState) => Pressed>;

export type VimKey = keyof typeof VIM_KEYS;

/** A character that is no key of the table now: a digit of a count, or what was waited for; undefined for all others. */
export function typedTo(vim: Vim, editor: EditorState, char: string): Pressed | undefined {
  const { awaits, count, keys } = vim;
  if (awaits) return answered({ ...vim, keys: keys + char }, editor, awaits, char);
  if (!/^\d$/.test(char) || (char === "0" && count === undefined)) return undefined;
  return {
    vim: { ...vim, keys: keys + char, count: Math.min(10_000, (count ?? 0) * 10 + Number(char)) },
    editor,
  };
}

function answered(vim: Vim, editor: EditorState, awaits: NonNullable<Vim["awaits"]>, char: string): Pressed {
  const { text, cursor } = editor;
  if (awaits === "replace") return remade(vim, editor, (old) => char.repeat([...old].length), false);
  if (awaits === "inner" || awaits === "around") {
    const span = objectSpan(text, cursor, char, awaits === "around");
    return span ? operate(vim, editor, span, false) : { vim: idle(vim), editor };
  }
  const reach = findReach(text, cursor, awaits, char, countOf(vim));
  return moved({ ...vim, found: { how: awaits, char } }, editor, reach);
}
