/** Reads one escape sequence from the input, which may be incomplete. */
import type { InputEvent, ReplyEvent } from "./events.ts";
import { altKey, consoleKey, controlKey, decodeCsi, ss3Key } from "./sequences.ts";

interface EscapeStep {
  /** Characters consumed; 0 = wait for more input. */
  consumed: number;
  /** Undefined for a dropped sequence; `paste` at the start of a bracketed paste. */
  event?: InputEvent | "paste" | undefined;
  /** A control string without its end yet: the search for the end can continue after the present input. */
  isOpen?: boolean;
}

const INCOMPLETE: EscapeStep = { consumed: 0 };

/** A control string longer than this (characters) is dropped. */
const MAX_STRING_LENGTH = 1 << 20;
const MAX_CSI_LENGTH = 256;
const STRING_KINDS: Readonly<Record<string, ReplyEvent["kind"]>> = {
  "]": "osc",
  P: "dcs",
  _: "apc",
  "^": "other",
  X: "other",
};
/** How a terminal's replies begin, by introducer: `may` become one, `is` certainly one. The parser waits for nothing else. */
const REPLY_STARTS: Readonly<Record<string, { possible: RegExp; certain: RegExp }>> = {
  "]": { possible: /^\d{1,4}$/, certain: /^\d{1,4};/ },
  P: { possible: /^(?:[>!]|[\d;]+|[\d;]*[$+])$/, certain: /^(?:[>!]\||[\d;]*[$+]r)/ },
  _: { possible: /^G[a-zA-Z]?$/, certain: /^G[a-zA-Z]=/ },
};
/** Characters that no control string contains: a key was pressed in between. */
const NOT_IN_STRING = /[\x00-\x06\x08-\x1a\x1c-\x1f\x7f]|\x1b(?!\\|$)/;
const STRING_END = /\x07|\x1b\\|\x9c/g;

/** rxvt's `CSI n $`, where `$` is the final byte; undefined if another final byte follows. */
function rxvtDollar(text: string, start: number, at: number): EscapeStep | undefined {
  const body = text.slice(start + 2, at);
  if (!/^\d+$/.test(body) || at + 1 >= text.length) return undefined;
  const next = text.charCodeAt(at + 1);
  if (next >= 0x40 && next <= 0x7e) return undefined;
  const event = decodeCsi(body, "$");
  return { consumed: at + 1 - start, event: event === "paste" ? undefined : event };
}

function csi(text: string, start: number): EscapeStep {
  if (text[start + 2] === "[")
    return text.length < start + 4 ? INCOMPLETE : { consumed: 4, event: consoleKey(text[start + 3]!) };
  for (let i = start + 2; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x40 && code <= 0x7e) {
      const body = text.slice(start + 2, i);
      // The old mouse report carries three raw characters; it is never requested, so it is skipped.
      if (text[i] === "M" && body === "") return text.length < start + 6 ? INCOMPLETE : { consumed: 6 };
      return { consumed: i + 1 - start, event: decodeCsi(body, text[i]!) };
    }
    const dollar = code === 0x24 ? rxvtDollar(text, start, i) : undefined;
    if (dollar) return dollar;
    // Another sequence begins in the middle: the broken one is dropped, except that ESC [ alone is Alt-[.
    if (code < 0x20 || code > 0x3f)
      return { consumed: i - start, event: i === start + 2 ? altKey("[") : undefined };
    if (i - start > MAX_CSI_LENGTH) return { consumed: i - start };
  }
  return INCOMPLETE;
}

/** An Alt chord; the input after it is parsed separately. */
const altChord = (character: string): EscapeStep => ({ consumed: 2, event: altKey(character) });

/** Either an Alt chord or the start of a control string, depending on what follows. */
function controlString(text: string, start: number, introducer: string, searched: number): EscapeStep {
  STRING_END.lastIndex = Math.max(start + 2, searched - 1);
  const end = STRING_END.exec(text);
  const reply = REPLY_STARTS[introducer]?.certain.test(text.slice(start + 2, start + 16)) === true;
  if (!reply && NOT_IN_STRING.test(text.slice(start + 2, end ? end.index : undefined)))
    return altChord(introducer);
  if (!end)
    return { consumed: text.length - start > MAX_STRING_LENGTH ? text.length - start : 0, isOpen: true };
  const data = text.slice(start + 2, end.index);
  const event: ReplyEvent = { type: "reply", kind: STRING_KINDS[introducer]!, data };
  return { consumed: end.index + end[0].length - start, event: event };
}

/** `ESC O`: a function key, or Alt-Shift-O. */
function ss3(text: string, start: number): EscapeStep {
  const found = /^([0-9]?)([A-Za-z~])/.exec(text.slice(start + 2, start + 4));
  if (found) return { consumed: 2 + found[0].length, event: ss3Key(found[1]!, found[2]!) };
  return /^\d?$/.test(text.slice(start + 2)) ? INCOMPLETE : altChord("O");
}

/** Reads the sequence at the ESC at `start`; the end of a control string is searched from `searched` on. */
export function escapeAt(text: string, start: number, searched: number): EscapeStep {
  if (start + 1 >= text.length) return INCOMPLETE;
  const next = text[start + 1]!;
  if (next === "[") return csi(text, start);
  if (next === "O") return ss3(text, start);
  if (STRING_KINDS[next]) return controlString(text, start, next, searched);
  if (next === "\x1b") {
    if (start + 2 >= text.length) return INCOMPLETE;
    // rxvt sends Alt as an additional ESC before the sequence of the key.
    if (text[start + 2] !== "[" && text[start + 2] !== "O") return { consumed: 1, event: controlKey("\x1b") };
    const step = escapeAt(text, start + 1, searched);
    return step.consumed === 0 ? step : { ...step, consumed: step.consumed + 1 };
  }
  if (next < " " || next === "\x7f") return { consumed: 2, event: controlKey(next, true) };
  const character = String.fromCodePoint(text.codePointAt(start + 1)!);
  return {
    consumed: 1 + character.length,
    event: /[\x80-\x9f]/.test(character) ? undefined : altKey(character),
  };
}

/** The meaning of an incomplete sequence after the time limit. */
export function timedOutSequence(rest: string): EscapeStep {
  if (rest === "\x1b" || rest === "\x1b\x1b") return { consumed: 1, event: controlKey("\x1b") };
  const introducer = rest[1]!;
  const isReply = REPLY_STARTS[introducer]?.certain.test(rest.slice(2)) === true;
  if (rest.length === 2 || (STRING_KINDS[introducer] && !isReply)) return altChord(introducer);
  // An incomplete sequence is dropped, never inserted as text.
  return { consumed: rest.length };
}

/** Whether the input is certainly the start of a sequence, not a lone ESC or an Alt chord. */
export function isSequence(rest: string): boolean {
  if (rest.length <= 2) return false;
  const introducer = rest[1]!;
  if (!STRING_KINDS[introducer]) return true;
  const patterns = REPLY_STARTS[introducer];
  const start = rest.slice(2, 16);
  return patterns !== undefined && (patterns.possible.test(start) || patterns.certain.test(start));
}
