/** The stdout given to Ink: writes once per frame, emits no resize event, and drops frames for a slow terminal. */
import { EventEmitter } from "node:events";
import { PixelLayer, type Layer } from "./pixel-layer.ts";
import { steadyColumns } from "./steady-columns.ts";
import {
  ALT_SCREEN_OFF,
  ALT_SCREEN_ON,
  CURSOR_HIDE,
  CURSOR_SHOW,
  HOME_AND_ERASE,
  SYNC_BEGIN,
  SYNC_END,
} from "./modes.ts";

/** The part of a terminal stream that the facade uses. */
interface RawOutput {
  readonly columns?: number;
  readonly rows?: number;
  /** Bytes not yet read by the terminal. */
  readonly writableLength?: number;
  write(data: string, written: () => void): unknown;
}

interface FacadeHooks {
  /** Returns bytes to write after the switch to the alternate screen, before the first frame. */
  entered(): string;
  /** Returns bytes to write before the switch back. */
  leaving(): string;
  /** Called when frames were dropped and the terminal is ready again: repaint everything. */
  ready(): void;
}

export interface FacadeCounters {
  /** Frames written. */
  frames: number;
  /** Frames dropped because the terminal was slow. */
  dropped: number;
  /** `write` calls on the terminal. */
  writes: number;
  /** UTF-16 units written. */
  units: number;
}

type Callback = (error?: Error | null) => void;

/** Maximum time that a forced repaint is collected (ms). */
const MAX_HOLD_MS = 100;
/** Frames are dropped while more bytes than this wait for the terminal. */
const MAX_WAITING_BYTES = 8192;

/** Ink passes every row that stays as it is by a move of its own. */
const MOVES = /(?:\x1b\[E){2,}/g;

export class OutFacade extends EventEmitter {
  readonly isTTY = true;
  readonly counters: FacadeCounters = { frames: 0, dropped: 0, writes: 0, units: 0 };
  /** Whether the terminal is on the alternate screen, and whether its cursor is shown. */
  altScreen = false;
  cursorShown = true;
  readonly #terminal: RawOutput;
  readonly #hooks: FacadeHooks;
  readonly #signs: ((frame: string) => string) | undefined;
  #frame = "";
  #inFrame = false;
  #holding = false;
  #holdTimer: NodeJS.Timeout | undefined;
  #paused = false;
  #closed = false;
  #needsRepaint = false;
  /** The launcher has drawn a saved frame on the alternate screen; the next frame replaces it. */
  isPainted = false;
  /** While set, output is captured here instead of being written. */
  #capture: string | undefined;
  /** Only once there is a picture. */
  #pixels: PixelLayer | undefined;
  #pixelsTimer: NodeJS.Immediate | undefined;

  /** `signs` replaces signs of each frame that the terminal cannot show. */
  constructor(terminal: RawOutput, hooks: FacadeHooks, signs?: (frame: string) => string) {
    super();
    this.setMaxListeners(0);
    this.#terminal = terminal;
    this.#hooks = hooks;
    this.#signs = signs;
  }

  get columns(): number {
    return this.#terminal.columns || 80;
  }
  get rows(): number {
    return this.#terminal.rows || 24;
  }
  get writable(): boolean {
    return !this.#closed;
  }
  get destroyed(): boolean {
    return this.#closed;
  }
  get writableEnded(): boolean {
    return this.#closed;
  }
  getColorDepth(): number {
    return 24;
  }
  hasColors(): boolean {
    return true;
  }

  /** Called by Ink. A frame arrives as begin mark, body and end mark in separate calls, and is written as one. */
  write(data: string | Uint8Array, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    const done = typeof encoding === "function" ? encoding : callback;
    this.#take(typeof data === "string" ? data : Buffer.from(data).toString("utf8"));
    if (done) queueMicrotask(() => done());
    return true;
  }

  #take(data: string): void {
    if (this.#closed) return;
    if (data === SYNC_BEGIN) this.#inFrame = true;
    else if (data === SYNC_END) {
      this.#inFrame = false;
      this.#emitFrame();
    } else if (data.includes(ALT_SCREEN_ON)) {
      this.altScreen = true;
      this.direct((this.isPainted ? data.replace(ALT_SCREEN_ON, "") : data) + this.#hooks.entered());
    } else if (data.includes(ALT_SCREEN_OFF)) {
      this.#dropFrame();
      const leaving = this.#hooks.leaving();
      this.altScreen = false;
      this.#pixels?.markErased();
      // Some terminals keep rows of a screen that was enlarged, unless it is empty.
      this.direct(leaving + data.replace(ALT_SCREEN_OFF, HOME_AND_ERASE + ALT_SCREEN_OFF));
    } else if (this.#inFrame || this.#holding) this.#frame += data;
    else this.direct(data);
  }

  /** Called when the launcher has drawn a saved frame. */
  markPainted(): void {
    this.isPainted = true;
    this.altScreen = true;
    this.cursorShown = false;
  }

  /** Captures what `draw` would write. */
  capture(draw: () => void): string {
    this.#capture = "";
    try {
      draw();
      return this.#capture;
    } finally {
      this.#capture = undefined;
      this.#dropFrame();
    }
  }

  /** Collects output until the end of the next frame, so that a forced repaint is one write. */
  hold(): void {
    this.#holding = true;
    clearTimeout(this.#holdTimer);
    this.#holdTimer = setTimeout(() => this.#emitFrame(), MAX_HOLD_MS);
    this.#holdTimer.unref();
  }

  /** Discards output until `resume`; repaint afterwards. */
  pause(): void {
    this.#dropFrame();
    this.#pixels?.markErased();
    this.#paused = true;
  }
  resume(): void {
    this.#paused = false;
    this.#needsRepaint = false;
  }

  /** Discards all further output. */
  close(): void {
    this.#dropFrame();
    this.#closed = true;
  }

  /** Sets or removes the pixel layer; it changes with the next frame, or on its own if none follows in this turn. */
  setLayer(layer: Layer | undefined): void {
    if (layer) this.#pixels ??= new PixelLayer();
    if (!this.#pixels?.request(layer)) return;
    clearImmediate(this.#pixelsTimer);
    this.#pixelsTimer = setImmediate(() => this.#emit(""));
  }

  /** Writes at once, outside the frames (modes, title, clipboard). */
  direct(data: string): void {
    if (this.#capture !== undefined) this.#capture += data;
    if (this.#capture !== undefined || this.#closed || this.#paused || data === "") return;
    const shown = data.lastIndexOf(CURSOR_SHOW);
    const hidden = data.lastIndexOf(CURSOR_HIDE);
    if (shown !== hidden) this.cursorShown = shown > hidden;
    this.counters.writes++;
    this.counters.units += data.length;
    this.#terminal.write(data, this.#written);
  }

  /** Resolves when the terminal has read everything, or after `ms`. */
  async flushed(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while ((this.#terminal.writableLength ?? 0) > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  readonly #written = (): void => {
    if (!this.#needsRepaint || this.#closed || this.#paused || (this.#terminal.writableLength ?? 0) > 0)
      return;
    this.#needsRepaint = false;
    this.#hooks.ready();
  };

  #dropFrame(): void {
    clearTimeout(this.#holdTimer);
    this.#holding = false;
    this.#inFrame = false;
    this.#frame = "";
  }

  #emitFrame(): void {
    const frame = this.#frame;
    this.#dropFrame();
    if (frame !== "") this.#emit(this.#signs?.(frame) ?? frame);
  }

  #emit(frame: string): void {
    if (this.#capture !== undefined) return void (this.#capture += frame);
    if (this.#paused || this.#closed) return;
    if (this.isPainted) {
      this.isPainted = false;
      // Erased row by row: erasing the whole screen first could flicker.
      return this.#emit(`\x1b[H\x1b[2K${frame.replaceAll("\n", "\n\x1b[2K")}`);
    }
    // A frame is a difference to the one before: after a dropped one, a whole repaint is needed.
    if (this.#needsRepaint || (this.#terminal.writableLength ?? 0) > MAX_WAITING_BYTES) {
      this.counters.dropped++;
      this.#needsRepaint = true;
      return;
    }
    const text = steadyColumns(frame);
    const output = this.#pixels?.addTo(text, this.rows) ?? text;
    if (output === "") return;
    this.counters.frames++;
    let joined = "";
    let from = 0;
    for (const { 0: moves, index } of output.matchAll(MOVES)) {
      joined += `${output.slice(from, index)}\x1b[${moves.length / 3}E`;
      from = index + moves.length;
    }
    this.direct(SYNC_BEGIN + joined + output.slice(from) + SYNC_END);
  }
}
