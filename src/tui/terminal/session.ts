/** The terminal session: modes, input, size, signals, suspension, and restoring the terminal. */
import { StringDecoder } from "node:string_decoder";
import { createInputParser, type InputParser } from "../input/parser.ts";
import type { InputEvent, ReplyEvent } from "../input/events.ts";
import { CapabilityReader, capabilityQueries, type Capabilities } from "./capabilities.ts";
import { divertConsole, type ConsoleLog } from "./console.ts";
import {
  ALT_SCREEN_OFF,
  ALT_SCREEN_ON,
  CURSOR_HIDE,
  CURSOR_SHOW,
  HOME_AND_ERASE,
  KITTY_PUSH,
  MOUSE_OFF,
  MOUSE_ON,
  SYNC_BEGIN,
  SYNC_END,
  cursorShape,
  modesOff,
  modesOn,
  type CursorShape,
  type ModeSettings,
} from "./modes.ts";
import { noticeRoute, type NoticeRoute } from "../../config/notice-route.ts";
import type { TmuxAround } from "../../config/picture-route.ts";
import { notificationBytes } from "./notify.ts";
import { clipboardBytes, through, titleBytes } from "./osc.ts";
import { OutFacade } from "./out-facade.ts";
import { asError, watchSignals } from "./signals.ts";
import { Stopper } from "./suspend.ts";

export interface Size {
  columns: number;
  rows: number;
}

/** What the session needs of the drawing side; `mountScreen` is the one made with Ink. */
interface Painter {
  /** Forget what is on the screen and draw all of it for this size, synchronously. */
  repaint(size: Size): void;
  unmount(): void;
}

/** The parts of `process` that a session touches; `process` itself fits. */
export type TerminalProcess = Pick<
  NodeJS.Process,
  "stdin" | "stdout" | "stderr" | "env" | "on" | "off" | "kill"
>;

interface SessionOptions {
  process: TerminalProcess;
  /** Every event but the answers to the session's own questions; in order. */
  onInput(event: InputEvent): void;
  /** The session is over and the terminal is given back: end the process with this code (only main.ts may). */
  end(code: number, error?: Error): void;
  log: ConsoleLog;
  /** Called when the terminal answered, again if answers came after the deadline. */
  onCapabilities?(capabilities: Capabilities): void;
  modes?: Partial<ModeSettings>;
  notifications?: NoticeRoute | "auto";
  /** The keys are about to be read here: who read them before lets go. True when the last picture stands already. */
  taking?(): boolean;
  /** It ends, and the screen still stands. */
  ending?(): void;
  /** What takes out of the terminal what is held there for us beside the screen; it is left. */
  takeDown?(): string;
  /** The terminal is ours again. */
  back?(): void;
}

/** The signal of Ctrl-Z and of `kill -TSTP`. */
const STOP = "SIGTSTP";

/** The terminal went away under us: as if it had hung up. */
const HUNG_UP = 129;
/** How long the answers of the terminal are awaited before the defaults are taken (ms); frames never wait. */
const ANSWER_MS = 300;
/** Sizes that come closer together than this are drawn as one (ms). */
const RESIZE_MS = 16;
/** How long a slow terminal may take to read what was written last (ms). */
const FLUSH_MS = 500;

/**
 * Node makes writes to a terminal block: a stalled connection would stall the program, its sockets and its
 * signals. While the screen is up they do not, and the facade drops frames instead.
 */
function blockWrites(stdout: NodeJS.WriteStream, block: boolean): void {
  const handle = (stdout as { _handle?: { setBlocking?(on: boolean): unknown } | null })._handle;
  if (process.platform !== "win32") handle?.setBlocking?.(block);
}

export class TerminalSession {
  readonly out: OutFacade;
  /** Resolves with the answers of the terminal, or after 300 ms with those that came. */
  readonly ready: Promise<Capabilities>;
  readonly modes: ModeSettings;
  /** Whether the window has the focus; undefined until the terminal says so. */
  focused: boolean | undefined;
  notifications: NoticeRoute | "auto";
  /** What tmux said, inside of it. */
  tmux: TmuxAround | undefined;

  readonly #options: SessionOptions;
  readonly #process: TerminalProcess;
  readonly #capabilities = new CapabilityReader();
  readonly #decoder = new StringDecoder("utf8");
  readonly #parser: InputParser;
  readonly #stopper: Stopper;
  #write: (data: string, written: () => void) => unknown;
  #painter: Painter | undefined;
  #state: "new" | "running" | "lent" | "over" = "new";
  #asked = false;
  #ended = false;
  #title = "";
  #shape: CursorShape = "default";
  #resolveReady: (capabilities: Capabilities) => void = () => {};
  #readyTimer: NodeJS.Timeout | undefined;
  #resizeTimer: NodeJS.Timeout | undefined;
  #resizePending = false;
  #undoConsole = (): void => {};
  #undoSignals = (): void => {};

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#process = options.process;
    this.modes = { mouse: true, focus: true, ...options.modes };
    this.notifications = options.notifications ?? "auto";
    this.#parser = createInputParser((event) => this.#take(event));
    this.#stopper = new Stopper(this.#process);
    const stdout = this.#process.stdout;
    this.#write = (data, written) => stdout.write(data, written);
    this.out = new OutFacade(
      {
        get columns() {
          return stdout.columns;
        },
        get rows() {
          return stdout.rows;
        },
        get writableLength() {
          return stdout.writableLength;
        },
        write: (data, written) => this.#write(data, written),
      },
      {
        entered: () => this.#enteredBytes(),
        leaving: () => {
          this.#takeDown();
          return modesOff(this.capabilities.kittyKeyboard);
        },
        stale: () => this.repaint(),
      },
    );
    this.ready = new Promise((resolve) => (this.#resolveReady = resolve));
  }

  get capabilities(): Capabilities {
    return this.#capabilities.found;
  }

  get size(): Size {
    return { columns: this.out.columns, rows: this.out.rows };
  }

  /** Takes the terminal: raw mode, input, signals, console. The modes follow when the painter enters the alternate screen. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "running";
    const { stdin, stdout, stderr } = this.#process;
    stdout.on("error", this.#gone);
    stdin.on("error", this.#gone);
    stdin.on("end", this.#gone);
    stdout.on("resize", this.#resized);
    this.#undoSignals = watchSignals(this.#process, {
      end: (code) => this.#end(code),
      crash: (error) => this.#end(1, error),
      continued: () => this.#continued(),
      exit: () => this.restore(),
    });
    this.#process.on(STOP, this.#stopAsked);
    this.#write = stdout.write.bind(stdout) as (data: string, written: () => void) => boolean;
    blockWrites(stdout, false);
    this.#undoConsole = divertConsole(this.#options.log, stdout, stderr);
    if (this.#options.taking?.()) this.out.painted();
    stdin.setRawMode(true);
    stdin.on("data", this.#read);
    stdin.resume();
    this.#readyTimer = setTimeout(() => this.#resolveReady(this.capabilities), ANSWER_MS);
    this.#readyTimer.unref();
  }

  attach(painter: Painter): void {
    this.#painter = painter;
  }

  /** Gives the terminal back as it was found. Safe to call at any time and more than once. */
  restore(): void {
    if (this.#state === "over") return;
    const begun = this.#state !== "new";
    const lent = this.#state === "lent";
    this.#state = "over";
    clearTimeout(this.#readyTimer);
    clearTimeout(this.#resizeTimer);
    this.#resolveReady(this.capabilities);
    if (lent) this.out.close();
    try {
      this.#painter?.unmount();
    } catch (error) {
      this.#options.log("error", `The screen could not be taken down: ${asError(error).message}`);
    }
    if (!begun) return this.out.close();
    blockWrites(this.#process.stdout, true);
    if (this.out.altScreen) this.#takeDown();
    if (this.out.altScreen) this.out.direct(modesOff(this.capabilities.kittyKeyboard) + ALT_SCREEN_OFF);
    if (!this.out.cursorShown) this.out.direct(CURSOR_SHOW);
    this.out.close();
    this.#undoConsole();
    // While ending, ours is the listener that keeps others from killing the process with the signal again.
    if (!this.#ended) this.#undoSignals();
    this.#process.off(STOP, this.#stopAsked);
    const { stdin, stdout } = this.#process;
    stdout.off("resize", this.#resized);
    this.#stopReading();
    // The listeners for errors stay: a late EIO of a dead terminal must not become an uncaught exception.
    stdin.off("end", this.#gone);
    this.#parser.end();
  }

  /** Gives the terminal back and ends; for the screen's own way out and for errors it cannot live with. */
  quit(code = 0, error?: Error): void {
    this.#end(code, error);
  }

  /** Draws everything anew (Ctrl-L, resize, resume: the only full clears, specification/screen.md §2). */
  repaint(): void {
    if (this.#state !== "running" || !this.#painter) return;
    this.#resizePending = false;
    this.out.hold();
    this.out.write(HOME_AND_ERASE);
    this.#painter.repaint(this.size);
  }

  /** All of the screen as it would be drawn now; nothing of it reaches the terminal. */
  captured(): string {
    return this.out.captured(() => this.repaint());
  }

  /** Stops the whole job as Ctrl-Z does elsewhere; resolves when it is continued and the screen is back. */
  async suspend(): Promise<void> {
    await this.lend(() => this.#stopper.stop());
  }

  /**
   * Lends the terminal to something else (`$EDITOR`, a pager), in its ordinary modes, and takes it back whole.
   * Rejects with what `run` rejects with; the terminal is back then as well.
   */
  async lend<T>(run: () => T | Promise<T>): Promise<T> {
    if (this.#state !== "running") throw new Error("The terminal is not ours to lend now.");
    this.#state = "lent";
    // Without a listener it stops us at once: our own stop, and one that is meant for who has the terminal now.
    this.#process.off(STOP, this.#stopAsked);
    this.#takeDown();
    this.out.direct(modesOff(this.capabilities.kittyKeyboard) + ALT_SCREEN_OFF + CURSOR_SHOW);
    this.out.pause();
    this.#undoConsole();
    this.#stopReading();
    await this.out.flushed(FLUSH_MS);
    if (this.#isOver()) throw new Error("The session ended before the terminal could be lent.");
    try {
      return await run();
    } finally {
      this.#comeBack();
    }
  }

  /** The window title; untrusted text is cleaned. The old one comes back at the end. */
  setTitle(title: string): void {
    if (title === this.#title) return;
    this.#title = title;
    if (this.#state === "running" && this.out.altScreen) this.out.direct(titleBytes(title));
  }

  /** Puts text on the clipboard (OSC 52); false when it is too long for that. */
  copy(text: string): boolean {
    const bytes = clipboardBytes(text, this.#process.env);
    if (bytes === undefined || this.#state !== "running") return false;
    this.out.direct(bytes);
    return true;
  }

  /** One notification by the route of the settings or of the terminal. */
  notify(title: string, body: string): void {
    const { notifications: setting, tmux } = this;
    const { version } = this.capabilities;
    const way = noticeRoute({ setting, env: this.#process.env, version, tmux });
    const bytes = notificationBytes(way.route, title, body);
    if (this.#state === "running") this.out.direct(through(bytes, way.tmux));
  }

  setMouse(on: boolean): void {
    if (this.modes.mouse === on) return;
    this.modes.mouse = on;
    if (this.#state === "running" && this.out.altScreen) this.out.direct(on ? MOUSE_ON : MOUSE_OFF);
  }

  setCursorShape(shape: CursorShape): void {
    if (this.#shape === shape) return;
    this.#shape = shape;
    if (this.#state === "running" && this.out.altScreen) this.out.direct(cursorShape(shape));
  }

  /** By itself: tmux loses what it should pass on when that comes with a change of screens. */
  #takeDown(): void {
    const bytes = this.#options.takeDown?.() ?? "";
    if (bytes !== "") this.out.direct(SYNC_BEGIN + bytes + SYNC_END);
  }

  #isOver(): boolean {
    return this.#state === "over";
  }

  #enteredBytes(): string {
    const kitty = this.capabilities.kittyKeyboard ? KITTY_PUSH : "";
    const shape = this.#shape === "default" ? "" : cursorShape(this.#shape);
    const title = this.#title ? titleBytes(this.#title) : "";
    const queries = this.#asked ? "" : capabilityQueries(this.#process.env, this.out.isPainted);
    this.#asked = true;
    if (!queries && !this.capabilities.answered) this.#resolveReady(this.capabilities);
    return modesOn(this.modes) + kitty + shape + title + queries;
  }

  #take(event: InputEvent): void {
    if (this.#state !== "running") return;
    if (event.type === "reply" && this.#answer(event)) return;
    if (event.type === "focus") this.focused = event.on;
    this.#options.onInput(event);
  }

  #answer(reply: ReplyEvent): boolean {
    const reader = this.#capabilities;
    const kitty = reader.found.kittyKeyboard;
    if (!reader.take(reply)) return false;
    if (!kitty && reader.found.kittyKeyboard) this.out.direct(KITTY_PUSH);
    if (reader.done) {
      clearTimeout(this.#readyTimer);
      this.#resolveReady(reader.found);
      this.#options.onCapabilities?.(reader.found);
    }
    return true;
  }

  readonly #read = (chunk: Buffer | string): void =>
    this.#parser.push(typeof chunk === "string" ? chunk : this.#decoder.write(chunk));

  #stopReading(): void {
    const { stdin } = this.#process;
    stdin.off("data", this.#read);
    stdin.pause();
    try {
      stdin.setRawMode(false);
    } catch {
      // A terminal that is gone has no modes.
    }
  }

  readonly #resized = (): void => {
    if (this.#resizeTimer) {
      this.#resizePending = true;
      return;
    }
    this.repaint();
    this.#resizeTimer = setTimeout(() => {
      this.#resizeTimer = undefined;
      if (this.#resizePending) this.#resized();
    }, RESIZE_MS);
  };

  /** Somebody else wants us stopped: the terminal is given back first. */
  readonly #stopAsked = (): void => {
    if (this.#state === "running") this.suspend().catch(() => {});
  };

  readonly #gone = (): void => {
    this.out.close();
    this.#end(HUNG_UP);
  };

  #continued(): void {
    if (this.#stopper.continued()) return;
    if (this.#state !== "running") return;
    // Somebody else stopped us: the shell has changed the terminal, and nothing says which modes are left.
    this.#takeDown();
    this.out.direct(modesOff(this.capabilities.kittyKeyboard));
    this.#comeBack();
  }

  #comeBack(): void {
    if (this.#isOver()) return;
    const { stdin, stdout, stderr } = this.#process;
    this.#undoConsole();
    this.#undoConsole = divertConsole(this.#options.log, stdout, stderr);
    this.#process.off(STOP, this.#stopAsked);
    this.#process.on(STOP, this.#stopAsked);
    // libuv skips a call that asks for the mode it believes in already.
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    stdin.off("data", this.#read);
    stdin.on("data", this.#read);
    stdin.resume();
    // Only the shell was told of a new size while we were stopped.
    (stdout as { _refreshSize?(): void })._refreshSize?.();
    blockWrites(stdout, false);
    this.#state = "running";
    this.out.resume();
    this.out.write(ALT_SCREEN_ON + (this.out.cursorShown ? "" : CURSOR_HIDE));
    this.#options.back?.();
    this.repaint();
  }

  #end(code: number, error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#state === "running" && error === undefined) this.#options.ending?.();
    this.restore();
    // What a slow terminal has not taken yet would die with the process, and the way back with it.
    if (this.#process.stdout.writableLength > 0)
      void this.out.flushed(FLUSH_MS).then(() => this.#options.end(code, error));
    else this.#options.end(code, error);
  }
}
