/** Parses terminal input into events, however it is split into chunks; replies of the terminal never become text. */
import { escapeAt, timedOutSequence, isSequence } from "./escape.ts";
import type { InputEvent } from "./events.ts";
import { controlKey } from "./sequences.ts";

/** Timers, replaceable in tests. */
interface InputTimers {
  set(run: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

/**
 * Milliseconds without input after which a lone ESC counts as the key, an incomplete sequence is dropped, and a paste
 * without its end mark is emitted as it is.
 */
const TIMEOUTS = { escape: 30, sequence: 500, paste: 3000 };

export interface InputParser {
  /** `chunk` is decoded text without split characters. */
  push(chunk: string): void;
  /** Emits or drops pending input and stops the timer. */
  end(): void;
}

const PASTE_END = "\x1b[201~";
const CONTROL = /[\x00-\x1f\x7f]/g;

/** Holds the input that is not parsed yet. */
class ChunkReader {
  readonly #emit: (event: InputEvent) => void;
  #buffer = "";
  #at = 0;
  #inPaste = false;
  /** Where the search for the end of a paste or control string continues, so that long ones are scanned once. */
  #searchedTo = 0;

  constructor(emit: (event: InputEvent) => void) {
    this.#emit = emit;
  }

  /** The kind of incomplete input, which decides the time limit. */
  get incomplete(): "paste" | "sequence" | "escape" | undefined {
    if (this.#inPaste) return "paste";
    if (this.#buffer === "") return undefined;
    return isSequence(this.#buffer) ? "sequence" : "escape";
  }

  /** Parses as much as possible; with `flush` incomplete input is emitted or dropped. */
  read(chunk: string, flush: boolean): void {
    this.#buffer += chunk;
    while (this.#at < this.#buffer.length || this.#inPaste) if (!this.#next(flush)) break;
    this.#buffer = this.#buffer.slice(this.#at);
    this.#searchedTo = Math.max(0, this.#searchedTo - this.#at);
    this.#at = 0;
  }

  /** False when more input is needed. */
  #next(flush: boolean): boolean {
    if (this.#inPaste) return this.#paste(flush);
    const first = this.#buffer[this.#at]!;
    if (first === "\x1b") return this.#escape(flush);
    if (first < " " || first === "\x7f") {
      this.#at++;
      this.#emit(controlKey(first));
    } else this.#text();
    return true;
  }

  #text(): void {
    CONTROL.lastIndex = this.#at;
    const stop = CONTROL.exec(this.#buffer)?.index ?? this.#buffer.length;
    const text = this.#buffer.slice(this.#at, stop).replace(/[\x80-\x9f]/g, "");
    this.#at = stop;
    if (text) this.#emit({ type: "text", text });
  }

  #escape(flush: boolean): boolean {
    let step = escapeAt(this.#buffer, this.#at, this.#searchedTo);
    if (step.consumed === 0) {
      if (step.isOpen) this.#searchedTo = this.#buffer.length;
      if (!flush) return false;
      step = timedOutSequence(this.#buffer.slice(this.#at));
    }
    this.#at += step.consumed;
    this.#searchedTo = 0;
    if (step.event === "paste") {
      this.#inPaste = true;
      this.#searchedTo = this.#at;
    } else if (step.event) this.#emit(step.event);
    return true;
  }

  #paste(flush: boolean): boolean {
    const end = this.#buffer.indexOf(PASTE_END, Math.max(this.#at, this.#searchedTo - PASTE_END.length));
    if (end < 0 && !flush) {
      this.#searchedTo = this.#buffer.length;
      return false;
    }
    const text = this.#buffer.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#buffer.length : end + PASTE_END.length;
    this.#inPaste = false;
    this.#searchedTo = 0;
    this.#emit({ type: "paste", text });
    return true;
  }
}

const realTimers: InputTimers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/** Creates a parser that passes events to `emit` in order (specification/screen.md §5). */
export function createInputParser(
  emit: (event: InputEvent) => void,
  { timers = realTimers }: { timers?: InputTimers } = {},
): InputParser {
  const reader = new ChunkReader(emit);
  let timer: unknown;
  const stop = (): void => {
    timers.clear(timer);
    timer = undefined;
  };
  return {
    push(chunk) {
      if (timer !== undefined) stop();
      reader.read(chunk, false);
      const { incomplete } = reader;
      if (incomplete) timer = timers.set(() => reader.read("", true), TIMEOUTS[incomplete]);
    },
    end() {
      stop();
      reader.read("", true);
    },
  };
}
