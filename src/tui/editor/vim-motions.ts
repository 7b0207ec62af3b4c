/** Vim's motions and text objects. */
import { firstNonBlank, lineEnd, lineStart, nextBoundary, previousBoundary, WORD } from "./boundaries.ts";

/** The result of a motion; `inclusive`: an operator includes the character at `to`; `lines`: it acts on whole lines. */
export interface MotionTarget {
  to: number;
  kind: "exclusive" | "inclusive" | "lines";
}

export interface TextRange {
  start: number;
  end: number;
}

/** 0 for a blank, 1 for a word character, 2 for anything else. */
function kindAt(text: string, at: number): 0 | 1 | 2 {
  const code = text.codePointAt(at);
  if (code === undefined || /\s/.test(text[at]!)) return 0;
  return WORD.test(String.fromCodePoint(code)) ? 1 : 2;
}

function wordForward(text: string, from: number): number {
  const kind = kindAt(text, from);
  let at = from;
  if (kind) while (at < text.length && kindAt(text, at) === kind) at = nextBoundary(text, at);
  while (at < text.length && kindAt(text, at) === 0) at = nextBoundary(text, at);
  return at;
}

function wordBack(text: string, from: number): number {
  let at = previousBoundary(text, from);
  while (at > 0 && kindAt(text, at) === 0) at = previousBoundary(text, at);
  while (at > 0 && kindAt(text, previousBoundary(text, at)) === kindAt(text, at))
    at = previousBoundary(text, at);
  return at;
}

/** The last character of this word, or of the next if the cursor is already there. */
function wordEnd(text: string, from: number): number {
  let at = nextBoundary(text, from);
  while (at < text.length && kindAt(text, at) === 0) at = nextBoundary(text, at);
  for (;;) {
    const next = nextBoundary(text, at);
    if (next >= text.length || kindAt(text, next) !== kindAt(text, at)) return Math.min(at, text.length);
    at = next;
  }
}

const repeatStep = (
  step: (text: string, at: number) => number,
  text: string,
  at: number,
  n: number,
): number => {
  let to = at;
  for (let i = 0; i < n && i <= text.length; i++) to = step(text, to);
  return to;
};

/** The start of the line `by` lines away, stopping at the first and last line. */
function lineStartAtDistance(text: string, from: number, by: number): number {
  let at = lineStart(text, from);
  for (let i = 0; i < Math.abs(by); i++) {
    if (by < 0 ? at === 0 : lineEnd(text, at) === text.length) break;
    at = by < 0 ? lineStart(text, at - 1) : lineEnd(text, at) + 1;
  }
  return at;
}

type Motion = (text: string, at: number, n: number, hasCount: boolean) => MotionTarget;

/** `n` is the count, 1 if none was typed. */
export const VIM_MOTIONS = {
  left: (text, at, n) => ({
    to: Math.max(lineStart(text, at), repeatStep(previousBoundary, text, at, n)),
    kind: "exclusive",
  }),
  right: (text, at, n) => ({
    to: Math.min(lineEnd(text, at), repeatStep(nextBoundary, text, at, n)),
    kind: "exclusive",
  }),
  down: (text, at, n) => ({ to: lineStartAtDistance(text, at, n), kind: "lines" }),
  up: (text, at, n) => ({ to: lineStartAtDistance(text, at, -n), kind: "lines" }),
  word: (text, at, n) => ({ to: repeatStep(wordForward, text, at, n), kind: "exclusive" }),
  back: (text, at, n) => ({ to: repeatStep(wordBack, text, at, n), kind: "exclusive" }),
  wordEnd: (text, at, n) => ({ to: repeatStep(wordEnd, text, at, n), kind: "inclusive" }),
  lineStart: (text, at) => ({ to: lineStart(text, at), kind: "exclusive" }),
  firstLetter: (text, at) => ({ to: firstNonBlank(text, at), kind: "exclusive" }),
  lineEnd: (text, at, n) => ({ to: lineEnd(text, lineStartAtDistance(text, at, n - 1)), kind: "exclusive" }),
  textStart: (text, _, n) => ({
    to: firstNonBlank(text, lineStartAtDistance(text, 0, n - 1)),
    kind: "lines",
  }),
  textEnd: (text, _, n, hasCount) => ({
    to: firstNonBlank(text, hasCount ? lineStartAtDistance(text, 0, n - 1) : lineStart(text, text.length)),
    kind: "lines",
  }),
} satisfies Record<string, Motion>;

export type VimMotion = keyof typeof VIM_MOTIONS;

/** Vim's `f`, `t`, `F` and `T`. */
export type Find = "find" | "till" | "findBack" | "tillBack";

/** Undefined if the line has no such character; a repeated `till` skips the character it already stopped at. */
export function findTarget(
  text: string,
  from: number,
  find: Find,
  char: string,
  n: number,
  isRepeat = false,
): MotionTarget | undefined {
  const back = find === "findBack" || find === "tillBack";
  const till = find === "till" || find === "tillBack";
  const step = back ? previousBoundary : nextBoundary;
  const edge = back ? lineStart(text, from) : lineEnd(text, from);
  const inside = (at: number): boolean => (back ? at >= edge && at < from : at < edge);
  let at = isRepeat && till ? step(text, from) : from;
  for (let found = 0; found < n;) {
    const next = step(text, at);
    if (next === at || !inside(next)) return undefined;
    at = next;
    if (text.startsWith(char, at)) found++;
  }
  const to = till ? (back ? nextBoundary(text, at) : previousBoundary(text, at)) : at;
  return { to, kind: back ? "exclusive" : "inclusive" };
}

function wordSpan(text: string, at: number, around: boolean): TextRange {
  const from = lineStart(text, at);
  const upTo = lineEnd(text, at);
  const run = (begin: number, kind: number): TextRange => {
    let [start, end] = [begin, begin];
    while (start > from && kindAt(text, previousBoundary(text, start)) === kind)
      start = previousBoundary(text, start);
    while (end < upTo && kindAt(text, end) === kind) end = nextBoundary(text, end);
    return { start, end };
  };
  const { start, end } = run(at, kindAt(text, at));
  if (!around) return { start, end };
  if (kindAt(text, at) === 0 && end < upTo) return { start, end: run(end, kindAt(text, end)).end };
  const after = end < upTo && kindAt(text, end) === 0 ? run(end, 0).end : end;
  const before =
    after === end && start > from && kindAt(text, start - 1) === 0 ? run(start - 1, 0).start : start;
  return { start: before, end: after };
}

function quotedSpan(text: string, at: number, quote: string, around: boolean): TextRange | undefined {
  const upTo = lineEnd(text, at);
  for (let open = text.indexOf(quote, lineStart(text, at)); open >= 0 && open < upTo;) {
    const close = text.indexOf(quote, open + 1);
    if (close < 0 || close >= upTo) return undefined;
    if (close >= at) return around ? { start: open, end: close + 1 } : { start: open + 1, end: close };
    open = text.indexOf(quote, close + 1);
  }
  return undefined;
}

const PAIRS = ["()b", "[]", "{}B", "<>"];

/** The offset of the unmatched `own` bracket, searching from `from` in direction `by`; −1 if there is none. */
function matchingBracket(
  text: string,
  from: number,
  by: 1 | -1,
  [wanted, other]: readonly [string, string],
): number {
  let depth = 0;
  for (let at = from; at >= 0 && at < text.length; at += by) {
    if (text[at] === other) depth++;
    else if (text[at] === wanted && depth-- === 0) return at;
  }
  return -1;
}

function bracketSpan(text: string, at: number, pair: string, around: boolean): TextRange | undefined {
  const [open, close] = [pair[0]!, pair[1]!];
  const start =
    text[at] === open ? at : matchingBracket(text, text[at] === close ? at - 1 : at, -1, [open, close]);
  const end = start < 0 ? -1 : matchingBracket(text, start + 1, 1, [close, open]);
  if (end < 0) return undefined;
  return around ? { start, end: end + 1 } : { start: start + 1, end };
}

/** The range of a text object such as `iw` or `a"` at an offset; undefined if there is none. */
export function objectSpan(text: string, at: number, name: string, around: boolean): TextRange | undefined {
  if (name === "w") return wordSpan(text, at, around);
  if (`"'\``.includes(name)) return quotedSpan(text, at, name, around);
  const pair = PAIRS.find((each) => each.includes(name));
  return pair === undefined ? undefined : bracketSpan(text, at, pair, around);
}
