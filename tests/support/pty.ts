/** A terminal for tests: a program in a real pseudo-terminal whose output goes to a headless emulator. */
import { createRequire } from "node:module";
import type { IPty } from "@lydell/node-pty";
import type { Terminal as HeadlessTerminal } from "@xterm/headless";
import { cellColours, screenPicture, type PictureOptions } from "./screen-picture.ts";
import { bytesOf } from "./keyboard.ts";
import { TYPING_PAUSE_MS } from "../../src/tui/input/pace.ts";
import { PATIENCE } from "./patience.ts";

const require = createRequire(import.meta.url);
const { spawn } = require("@lydell/node-pty") as typeof import("@lydell/node-pty");
const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless");
const { UnicodeGraphemesAddon } =
  require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes");

const MOUSE = { down: 0, up: 0, drag: 32, move: 35, wheelup: 64, wheeldown: 65 } as const;

export interface PtyOptions {
  /** The answer to a query for the background colour, as `ffff/ffff/ffff`; default: no answer. */
  background?: string | undefined;
  /** The terminal claims to support sixel pictures; the emulator does not draw them. */
  sixel?: boolean | undefined;
  cols?: number;
  rows?: number;
  /** Changes to the environment of the test; undefined removes a variable. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** False: the emulator measures like an old terminal, without grapheme clusters. */
  graphemes?: boolean;
  /** False: the emulator answers no queries. */
  answers?: boolean;
}

export interface PtyExit {
  exitCode: number;
  signal?: number | undefined;
}

export interface Cell {
  char: string;
  width: number;
  fg: string | undefined;
  bg: string | undefined;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  strike: boolean;
}

export interface Chunk {
  /** Milliseconds since the start. */
  at: number;
  data: string;
}

const living = new Set<IPty>();
process.on("exit", () => {
  for (const child of living) kill(child, "SIGKILL");
});

/** Kills the process group of a child: in a pty it is a session leader. */
function kill(child: IPty, signal: NodeJS.Signals): void {
  for (const pid of [-child.pid, child.pid])
    try {
      process.kill(pid, signal);
    } catch {
      // Already gone.
    }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Pty {
  readonly chunks: Chunk[] = [];
  readonly exited: Promise<PtyExit>;
  /** Set once the program has ended. */
  exit: PtyExit | undefined;
  readonly #term: HeadlessTerminal;
  readonly #pty: IPty;
  /** `performance.now()` at the start; the times of chunks are relative to it. */
  readonly startedAt = performance.now();
  #lastData = performance.now();
  /** Number of chunks that the emulator has not drawn yet. */
  #pending = 0;
  /** Counts changes of the picture, so that conditions are only checked on a new picture. */
  #drawn = 0;
  #read: { drawn: number; text: string } | undefined;
  readonly #onDrawn = new Set<() => void>();

  private constructor(
    term: HeadlessTerminal,
    pty: IPty,
    { answers = true, background, sixel }: Pick<PtyOptions, "answers" | "background" | "sixel">,
  ) {
    this.#term = term;
    this.#pty = pty;
    living.add(pty);
    this.exited = new Promise((resolve) =>
      pty.onExit((exit) => {
        living.delete(pty);
        this.exit = exit;
        this.#changed();
        resolve(exit);
      }),
    );
    pty.onData((data) => {
      this.chunks.push({ at: performance.now() - this.startedAt, data });
      this.#lastData = performance.now();
      this.#pending++;
      term.write(data, () => {
        this.#pending--;
        this.#changed();
      });
    });
    if (answers) term.onData((data) => this.type(data));
    if (background)
      term.parser.registerOscHandler(11, (question) => {
        if (question === "?") this.type(`\u001b]11;rgb:${background}\u001b\\`);
        return true;
      });
    if (sixel)
      term.parser.registerCsiHandler({ final: "c" }, () => {
        this.type("\u001b[?62;4c");
        return true;
      });
  }

  static spawn(file: string, args: string[], options: PtyOptions = {}): Pty {
    const { cols = 80, rows = 24, graphemes = true } = options;
    const term = new Terminal({ cols, rows, allowProposedApi: true, scrollback: 1000 });
    if (graphemes) term.loadAddon(new UnicodeGraphemesAddon());
    const env: Record<string, string | undefined> = {
      ...process.env,
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      LANG: "C.UTF-8",
    };
    // Variables of the test runner that describe its own terminal.
    for (const name of [
      "CI",
      "NO_COLOR",
      "FORCE_COLOR",
      "CONTINUOUS_INTEGRATION",
      "TERM_PROGRAM",
      "TMUX",
      "STY",
    ])
      delete env[name];
    for (const name of Object.keys(env)) if (name.startsWith("VITEST")) delete env[name];
    Object.assign(env, options.env);
    for (const name of Object.keys(env)) if (env[name] === undefined) delete env[name];
    const child = spawn(file, args, {
      cols,
      rows,
      name: "xterm-256color",
      env,
      ...(options.cwd ? { cwd: options.cwd } : {}),
    });
    return new Pty(term, child, options);
  }

  get pid(): number {
    return this.#pty.pid;
  }
  get cols(): number {
    return this.#term.cols;
  }
  get rows(): number {
    return this.#term.rows;
  }
  /** All output of the program so far, decoded. */
  get raw(): string {
    return this.chunks.map((chunk) => chunk.data).join("");
  }
  get altScreen(): boolean {
    return this.#term.buffer.active.type === "alternate";
  }
  get modes(): HeadlessTerminal["modes"] {
    return this.#term.modes;
  }

  /** Types these characters in one write. */
  type(text: string): void {
    if (!this.exit) this.#pty.write(text);
  }
  /** Lets a letter that was typed while browsing, and has been drawn, be a key and no text. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1.25 * TYPING_PAUSE_MS));
  }
  /** Presses a key, named as a chord. */
  key(name: string): void {
    this.type(bytesOf(name));
  }
  paste(text: string): void {
    this.type(`\x1b[200~${text}\x1b[201~`);
  }
  /** Sends an SGR mouse report; cells from 0. */
  mouse(kind: keyof typeof MOUSE, x: number, y: number, button = 0): void {
    const bits = MOUSE[kind] + (kind === "down" || kind === "up" || kind === "drag" ? button : 0);
    this.type(`\x1b[<${bits};${x + 1};${y + 1}${kind === "up" ? "m" : "M"}`);
  }
  resize(cols: number, rows: number): void {
    this.#term.resize(cols, rows);
    this.#changed();
    this.#pty.resize(cols, rows);
  }
  /** Closes the terminal while the program runs, like closing a window. */
  hangUp(): void {
    (this.#pty as unknown as { destroy(): void }).destroy();
  }
  /** Stops or continues reading the program's output, like a stalled connection. */
  stall(on: boolean): void {
    if (on) this.#pty.pause();
    else this.#pty.resume();
  }
  /** Signals the program alone; with `group` its process group. */
  signal(signal: NodeJS.Signals, group = false): void {
    process.kill(group ? -this.#pty.pid : this.#pty.pid, signal);
  }

  /** Resolves when nothing has been written for `quiet` ms and everything is drawn. */
  async settle(quiet = 60, timeout = 5000): Promise<void> {
    const from = performance.now();
    while (performance.now() - from < timeout) {
      if (this.#pending === 0 && performance.now() - Math.max(this.#lastData, from) >= quiet) return;
      await sleep(4);
    }
    throw new Error(`The program was still writing after ${timeout} ms.`);
  }

  /** Terminals show a synchronized frame only when it is complete; nobody sees it half drawn. */
  get #halfDrawn(): boolean {
    return this.#term.modes.synchronizedOutputMode && !this.exit;
  }
  #changed(): void {
    if (this.#halfDrawn) return;
    this.#drawn++;
    for (const tell of this.#onDrawn) tell();
  }
  /** Resolves at the next drawing, or after `longest` ms, because a condition may depend on more than the picture. */
  #nextDrawing(longest: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#onDrawn.delete(done);
        resolve();
      };
      const timer = setTimeout(done, longest);
      this.#onDrawn.add(done);
    });
  }

  /** Waits until the screen contains the text, matches, or the function returns true; resolves with the milliseconds. */
  async waitFor(what: string | RegExp | ((pty: Pty) => boolean), timeout = PATIENCE): Promise<number> {
    const there = (): boolean => {
      if (typeof what === "function") return what(this);
      return typeof what === "string" ? this.text().includes(what) : what.test(this.text());
    };
    const from = performance.now();
    for (;;) {
      if (this.#pending === 0 && !this.#halfDrawn && there()) return performance.now() - from;
      if (performance.now() - from > timeout)
        throw new Error(`Waited ${timeout} ms for ${String(what)}; the screen:\n${this.text()}`);
      await this.#nextDrawing(10);
    }
  }

  /** Resolves when the program has exited and its last output is drawn. */
  async end(timeout = PATIENCE): Promise<PtyExit> {
    const late = sleep(timeout).then(() => {
      throw new Error(`The program had not ended after ${timeout} ms; the screen:\n${this.text()}`);
    });
    const exit = await Promise.race([this.exited, late]);
    late.catch(() => {});
    await this.settle(20);
    return exit;
  }

  line(y: number): string {
    const buffer = this.#term.buffer.active;
    return buffer.getLine(buffer.baseY + y)?.translateToString(true, 0, this.cols) ?? "";
  }
  text(): string {
    if (this.#read?.drawn !== this.#drawn) {
      const text = Array.from({ length: this.rows }, (_, y) => this.line(y)).join("\n");
      this.#read = { drawn: this.#drawn, text };
    }
    return this.#read.text;
  }
  /** The position of a text on the screen, in cells. */
  find(text: string): { x: number; y: number } | undefined {
    const buffer = this.#term.buffer.active;
    for (let y = 0; y < this.rows; y++) {
      const at = this.line(y).indexOf(text);
      if (at < 0) continue;
      const row = buffer.getLine(buffer.baseY + y)!;
      let units = 0;
      for (let x = 0; x < this.cols; x++) {
        const cell = row.getCell(x);
        if (cell?.getWidth() === 0) continue; // The second half of a wide glyph.
        if (units >= at) return { x, y };
        units += cell?.getChars().length || 1;
      }
    }
    return undefined;
  }
  cell(x: number, y: number): Cell | undefined {
    const buffer = this.#term.buffer.active;
    const cell = buffer.getLine(buffer.baseY + y)?.getCell(x);
    if (!cell) return undefined;
    return {
      char: cell.getChars(),
      width: cell.getWidth(),
      ...cellColours(cell),
      bold: cell.isBold() > 0,
      dim: cell.isDim() > 0,
      italic: cell.isItalic() > 0,
      underline: cell.isUnderline() > 0,
      inverse: cell.isInverse() > 0,
      strike: cell.isStrikethrough() > 0,
    };
  }
  cursor(): { x: number; y: number; hidden: boolean } {
    const { cursorX, cursorY } = this.#term.buffer.active;
    return { x: cursorX, y: cursorY, hidden: this.#cursorHidden };
  }
  /** The emulator has no public property for this. */
  get #cursorHidden(): boolean {
    const core = this.#term as unknown as { _core?: { coreService?: { isCursorHidden?: boolean } } };
    return Boolean(core._core?.coreService?.isCursorHidden);
  }
  /** The screen as an SVG drawing. */
  picture(options?: PictureOptions): string {
    return screenPicture(this.#term, { cursor: !this.#cursorHidden, ...options });
  }

  /** Kills the program and everything it started. */
  async close(): Promise<void> {
    if (!this.exit) kill(this.#pty, "SIGKILL");
    await this.exited;
    this.#term.dispose();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
