/** Reads what the terminal sends, in any chunks, as events; Enter inside a chunk is never lost and no reply is ever typed. */
import type { InputEvent, ReplyEvent } from "./events.ts";
import { altKey, consoleKey, controlKey, meaningOfCsi, ss3Key } from "./sequences.ts";

/** The part of a clock that deciding about a lone Esc needs. */
interface InputTimers {
  set(run: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

interface InputParserOptions {
  timers?: InputTimers;
  /** How long a lone ESC may be the start of something longer (ms). */
  escapeMs?: number;
  /** How long the rest of a begun sequence is awaited before it is dropped (ms). */
  sequenceMs?: number;
  /** Silence after which a paste without an end mark is given out as it is (ms). */
  pasteMs?: number;
}

export interface InputParser {
  /** `chunk` is decoded text; characters split over chunks are the decoder's business. */
  push(chunk: string): void;
  /** Gives out or drops what is pending and stops the timer. */
  end(): void;
}

const PASTE_END = "\x1b[201~";
/** A string reply longer than this (characters) is no reply. */
const MAX_STRING = 1 << 20;
const MAX_CSI = 256;
const STRING_KINDS: Readonly<Record<string, ReplyEvent["kind"]>> = {
  "]": "osc",
  P: "dcs",
  _: "apc",
  "^": "other",
  X: "other",
};
/** How answers of a terminal begin, by kind: what may still become one, and what certainly is one. Nothing else is waited for. */
const REPLIES: Readonly<Record<string, { may: RegExp; is: RegExp }>> = {
  "]": { may: /^\d{1,4}$/, is: /^\d{1,4};/ },
  P: { may: /^(?:[>!]|[\d;]+|[\d;]*[$+])$/, is: /^(?:[>!]\||[\d;]*[$+]r)/ },
  _: { may: /^G[a-zA-Z]?$/, is: /^G[a-zA-Z]=/ },
};
/** What no control string holds: a key was pressed in between. */
const NO_STRING = /[\x00-\x06\x08-\x1a\x1c-\x1f\x7f]|\x1b(?!\\|$)/;
const CONTROL = /[\x00-\x1f\x7f]/g;
const STRING_END = /\x07|\x1b\\|\x9c/g;

const realTimers: InputTimers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/** Makes a parser that hands every event to `emit` in the order in which it came (specification/screen.md §5). */
export function createInputParser(
  emit: (event: InputEvent) => void,
  options: InputParserOptions = {},
): InputParser {
  const { timers = realTimers, escapeMs = 30, sequenceMs = 500, pasteMs = 3000 } = options;
  let buffer = "";
  let at = 0;
  let inPaste = false;
  /** Where the search for the end of a paste or of a string goes on, so that long ones are read once. */
  let searched = 0;
  let timer: unknown;

  const give = (event: InputEvent | undefined): void => {
    if (event) emit(event);
  };

  /** Characters of the CSI at `start` that were used; 0 = wait for more. */
  function csi(start: number): number {
    if (buffer[start + 2] === "[") {
      if (buffer.length < start + 4) return 0;
      give(consoleKey(buffer[start + 3]!));
      return 4;
    }
    for (let i = start + 2; i < buffer.length; i++) {
      const code = buffer.charCodeAt(i);
      if (code >= 0x40 && code <= 0x7e) {
        const body = buffer.slice(start + 2, i);
        const final = buffer[i]!;
        // The old mouse form carries three raw characters; we never ask for it and never type it.
        if (final === "M" && body === "") return buffer.length < start + 6 ? 0 : 6;
        const event = meaningOfCsi(body, final);
        if (event === "paste") {
          inPaste = true;
          searched = i + 1;
        } else give(event);
        return i + 1 - start;
      }
      if (code === 0x24 && /^\d+$/.test(buffer.slice(start + 2, i)) && i + 1 < buffer.length) {
        const next = buffer.charCodeAt(i + 1);
        if (next < 0x40 || next > 0x7e) {
          const event = meaningOfCsi(buffer.slice(start + 2, i), "$");
          if (event !== "paste") give(event);
          return i + 1 - start;
        }
      }
      if (code < 0x20 || code > 0x3f) {
        // Something else begins in the middle: what was there is broken and dropped, Alt-[ excepted.
        if (i === start + 2) give(altKey("["));
        return i - start;
      }
      if (i - start > MAX_CSI) return i - start;
    }
    return 0;
  }

  /** Alt and a letter, or the start of a control string: what follows decides, or the silence after it. */
  function string(start: number, introducer: string): number {
    STRING_END.lastIndex = Math.max(start + 2, searched - 1);
    const end = STRING_END.exec(buffer);
    const reply = REPLIES[introducer]?.is.test(buffer.slice(start + 2, start + 16)) === true;
    if (!reply && NO_STRING.test(buffer.slice(start + 2, end ? end.index : undefined)))
      return altAlone(introducer);
    if (end) {
      searched = 0;
      const kind = STRING_KINDS[introducer]!;
      emit({ type: "reply", kind, data: buffer.slice(start + 2, end.index) });
      return end.index + end[0].length - start;
    }
    searched = buffer.length;
    return buffer.length - start > MAX_STRING ? buffer.length - start : 0;
  }

  /** The key; what follows is read for itself. */
  function altAlone(character: string): number {
    searched = 0;
    give(altKey(character));
    return 2;
  }

  function escape(start: number): number {
    if (start + 1 >= buffer.length) return 0;
    const next = buffer[start + 1]!;
    if (next === "[") return csi(start);
    if (next === "O") {
      const found = /^([0-9]?)([A-Za-z~])/.exec(buffer.slice(start + 2, start + 4));
      if (found) {
        give(ss3Key(found[1]!, found[2]!));
        return 2 + found[0].length;
      }
      const rest = buffer.slice(start + 2);
      if (rest === "" || /^\d$/.test(rest)) return 0;
      give(altKey("O"));
      return 2;
    }
    if (STRING_KINDS[next]) return string(start, next);
    if (next === "\x1b") {
      if (start + 2 >= buffer.length) return 0;
      // rxvt writes Alt as one more ESC; the arrow behind it still counts.
      const after = buffer[start + 2]!;
      if (after === "[" || after === "O") {
        const used = escape(start + 1);
        return used === 0 ? 0 : used + 1;
      }
      give(controlKey("\x1b"));
      return 1;
    }
    if (next < " " || next === "\x7f") {
      give(controlKey(next, true));
      return 2;
    }
    const character = String.fromCodePoint(buffer.codePointAt(start + 1)!);
    if (!/[\x80-\x9f]/.test(character)) give(altKey(character));
    return 1 + character.length;
  }

  /** What a begun sequence means once nothing followed it in time; the characters used. */
  function giveUp(start: number): number {
    const rest = buffer.slice(start);
    if (rest === "\x1b" || rest === "\x1b\x1b") {
      give(controlKey("\x1b"));
      return 1;
    }
    const introducer = rest[1]!;
    if (rest.length === 2) return altAlone(introducer);
    if (STRING_KINDS[introducer] && REPLIES[introducer]?.is.test(rest.slice(2)) !== true)
      return altAlone(introducer);
    return rest.length; // Broken: dropped, never typed.
  }

  /** How long the rest of what is pending may take (ms). */
  function patience(): number {
    if (inPaste) return pasteMs;
    if (buffer.length <= 2) return escapeMs;
    const introducer = buffer[1]!;
    if (!STRING_KINDS[introducer]) return sequenceMs;
    const rest = buffer.slice(2, 16);
    const row = REPLIES[introducer];
    return row && (row.may.test(rest) || row.is.test(rest)) ? sequenceMs : escapeMs;
  }

  function paste(flush: boolean): boolean {
    const end = buffer.indexOf(PASTE_END, Math.max(at, searched - PASTE_END.length));
    if (end < 0 && !flush) {
      searched = buffer.length;
      return false;
    }
    emit({ type: "paste", text: buffer.slice(at, end < 0 ? undefined : end) });
    at = end < 0 ? buffer.length : end + PASTE_END.length;
    inPaste = false;
    searched = 0;
    return true;
  }

  function run(flush: boolean): void {
    for (;;) {
      if (at >= buffer.length && !(inPaste && flush)) break;
      if (inPaste) {
        if (!paste(flush)) break;
        continue;
      }
      const first = buffer[at]!;
      if (first === "\x1b") {
        let used = escape(at);
        if (used === 0) {
          if (!flush) break;
          used = giveUp(at);
          searched = 0;
        }
        at += used;
      } else if (first < " " || first === "\x7f") {
        give(controlKey(first));
        at++;
      } else {
        CONTROL.lastIndex = at;
        const stop = CONTROL.exec(buffer)?.index ?? buffer.length;
        const text = buffer.slice(at, stop).replace(/[\x80-\x9f]/g, "");
        if (text) emit({ type: "text", text });
        at = stop;
      }
    }
    if (at > 0) {
      buffer = buffer.slice(at);
      searched = Math.max(0, searched - at);
      at = 0;
    }
  }

  return {
    push(chunk) {
      timers.clear(timer);
      timer = undefined;
      buffer += chunk;
      run(false);
      if (buffer === "" && !inPaste) return;
      timer = timers.set(() => run(true), patience());
    },
    end() {
      timers.clear(timer);
      timer = undefined;
      run(true);
    },
  };
}
