/** The terminal session: modes, input, size, signals, suspension, and restoring the terminal. */
import { cleanForTerminal, wrapForTmux } from "../../text/sequence-text.ts";
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
import type { OuterTerminal } from "../../config/picture-route.ts";
import { notificationBytes, withdrawalBytes } from "../../config/notice-bytes.ts";
import { asciiSigns } from "./ascii-signs.ts";
import { OutFacade } from "./out-facade.ts";
import { asError, watchSignals } from "./signals.ts";
import { Stopper } from "./suspend.ts";

/** OSC 2: the window title, at most 200 units. */
export const titleBytes = (title: string): string => `\x1b]2;${cleanForTerminal(title, 200)}\x07`;

/** Bytes of base64 that common terminals accept in one OSC 52. */
export const CLIPBOARD_LIMIT = 100_000;

/**
 * OSC 52: puts text on the clipboard of the terminal's machine. Undefined if the text is too long. GNU Screen needs
 * a wrapper around it; tmux does not.
 */
export function clipboardBytes(
  text: string,
  env: Record<string, string | undefined> = {},
): string | undefined {
  const base64 = Buffer.from(text, "utf8").toString("base64");
  if (base64.length > CLIPBOARD_LIMIT) return undefined;
  const bytes = `\x1b]52;c;${base64}\x07`;
  if (env["STY"] && !env["TMUX"]) {
    // GNU Screen passes on at most 768 bytes of a string at once.
    return (bytes.match(/[^]{1,500}/g) ?? []).map((part) => `\x1bP${part}\x1b\\`).join("");
  }
  return bytes;
}

export interface Size {
  columns: number;
  rows: number;
}

/** The drawing side of the session; `mountScreen` implements it with Ink. */
interface Painter {
  /** Redraws the whole screen for this size, synchronously. */
  repaint(size: Size): void;
  unmount(): void;
}

/** The parts of `process` that a session uses. */
export type TerminalProcess = Pick<
  NodeJS.Process,
  "stdin" | "stdout" | "stderr" | "env" | "on" | "off" | "kill"
>;

interface SessionOptions {
  process: TerminalProcess;
  /** Receives all events in order, except replies to the session's own queries. */
  onInput(event: InputEvent): void;
  /** The session is over and the terminal is restored: the process should end with this code. */
  end(code: number, error?: Error): void;
  log: ConsoleLog;
  /** Called when the terminal has answered, also after the time limit. */
  onCapabilities?(capabilities: Capabilities): void;
  modes?: Partial<ModeSettings>;
  /** Draws lines and signs in ASCII. */
  inAscii?: boolean;
  notifications?: NoticeRoute | "auto";
  /** Called before the session reads keys, so that the launcher stops reading. True if it has drawn a saved frame. */
  takingInput?(): boolean;
  /** Called when the session ends, while the screen is still shown. */
  ending?(): void;
  /** Returns the bytes that remove pictures from the terminal, before it is given back. */
  removePictures?(): string;
  /** Called when the terminal was taken back after `lend` or a stop. */
  returned?(): void;
}

/** The signal of Ctrl-Z and of `kill -TSTP`. */
const STOP_SIGNAL = "SIGTSTP";

/** Exit code when the terminal has disappeared, like for SIGHUP. */
const HANGUP_CODE = 129;
/** How long to wait for the terminal's answers before using the defaults (ms); frames never wait. */
const ANSWER_TIMEOUT_MS = 300;
/** Resizes closer together than this are drawn as one (ms). */
const RESIZE_MS = 16;
/** How long to wait for a slow terminal to read the last output (ms). */
const FLUSH_TIMEOUT_MS = 500;

/**
 * Node's writes to a terminal block, so a stalled terminal would stall the program. While the screen is shown they are
 * non-blocking, and the facade drops frames instead.
 */
function blockWrites(stdout: NodeJS.WriteStream, block: boolean): void {
  const handle = (stdout as { _handle?: { setBlocking?(on: boolean): unknown } | null })._handle;
  if (process.platform !== "win32") handle?.setBlocking?.(block);
}

export class TerminalSession {
  readonly out: OutFacade;
  /** Resolves with the capabilities once the terminal has answered, or after 300 ms with those known by then. */
  readonly ready: Promise<Capabilities>;
  readonly modes: ModeSettings;
  /** Whether the window has the focus; undefined until the terminal reports it. */
  focused: boolean | undefined;
  notifications: NoticeRoute | "auto";
  /** The surrounding tmux, if any. */
  tmux: OuterTerminal | undefined;

  readonly #options: SessionOptions;
  readonly #process: TerminalProcess;
  readonly #capabilities = new CapabilityReader();
  readonly #decoder = new StringDecoder("utf8");
  readonly #parser: InputParser;
  readonly #stopper: Stopper;
  #write: (data: string, written: () => void) => unknown;
  #painter: Painter | undefined;
  #state: "new" | "running" | "lent" | "over" = "new";
  #queried = false;
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
          this.#removePictures();
          return modesOff(this.capabilities.kittyKeyboard);
        },
        ready: () => this.repaint(),
      },
      options.inAscii ? asciiSigns : undefined,
    );
    this.ready = new Promise((resolve) => (this.#resolveReady = resolve));
  }

  get capabilities(): Capabilities {
    return this.#capabilities.found;
  }

  get size(): Size {
    return { columns: this.out.columns, rows: this.out.rows };
  }

  /** Takes the terminal: raw mode, input, signals, console. The modes are set when the painter enters the alternate screen. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "running";
    const { stdin, stdout, stderr } = this.#process;
    stdout.on("error", this.#terminalGone);
    stdin.on("error", this.#terminalGone);
    stdin.on("end", this.#terminalGone);
    stdout.on("resize", this.#resized);
    this.#undoSignals = watchSignals(this.#process, {
      end: (code) => this.#end(code),
      crash: (error) => this.#end(1, error),
      continued: () => this.#continued(),
      exit: () => this.restore(),
    });
    this.#process.on(STOP_SIGNAL, this.#onStopSignal);
    this.#write = stdout.write.bind(stdout) as (data: string, written: () => void) => boolean;
    blockWrites(stdout, false);
    this.#undoConsole = divertConsole(this.#options.log, stdout, stderr);
    if (this.#options.takingInput?.()) this.out.markPainted();
    stdin.setRawMode(true);
    stdin.on("data", this.#read);
    stdin.resume();
    this.#readyTimer = setTimeout(() => this.#resolveReady(this.capabilities), ANSWER_TIMEOUT_MS);
    this.#readyTimer.unref();
  }

  attach(painter: Painter): void {
    this.#painter = painter;
  }

  /** Restores the terminal as it was found. Safe to call at any time and more than once. */
  restore(): void {
    if (this.#state === "over") return;
    const wasStarted = this.#state !== "new";
    const wasLent = this.#state === "lent";
    this.#state = "over";
    clearTimeout(this.#readyTimer);
    clearTimeout(this.#resizeTimer);
    this.#resolveReady(this.capabilities);
    if (wasLent) this.out.close();
    try {
      this.#painter?.unmount();
    } catch (error) {
      this.#options.log("error", `The screen could not be taken down: ${asError(error).message}`);
    }
    if (!wasStarted) return this.out.close();
    blockWrites(this.#process.stdout, true);
    if (this.out.altScreen) this.#removePictures();
    if (this.out.altScreen)
      this.out.direct(modesOff(this.capabilities.kittyKeyboard) + HOME_AND_ERASE + ALT_SCREEN_OFF);
    if (!this.out.cursorShown) this.out.direct(CURSOR_SHOW);
    this.out.close();
    this.#undoConsole();
    // While ending, the signal listeners stay, so that a second signal does not kill the process.
    if (!this.#ended) this.#undoSignals();
    this.#process.off(STOP_SIGNAL, this.#onStopSignal);
    const { stdin, stdout } = this.#process;
    stdout.off("resize", this.#resized);
    this.#stopReading();
    // The error listeners stay: a late EIO of a dead terminal must not become an uncaught exception.
    stdin.off("end", this.#terminalGone);
    this.#parser.end();
  }

  /** Restores the terminal and ends the session. */
  quit(code = 0, error?: Error): void {
    this.#end(code, error);
  }

  /** Redraws everything (Ctrl-L, resize, resume: the only full clears, specification/screen.md §2). */
  repaint(): void {
    if (this.#state !== "running" || !this.#painter) return;
    this.#resizePending = false;
    this.out.hold();
    this.out.write(HOME_AND_ERASE);
    this.#painter.repaint(this.size);
  }

  /** The whole screen as it would be drawn now, without writing it to the terminal. */
  captureFrame(): string {
    return this.out.capture(() => this.repaint());
  }

  /** Stops the job like Ctrl-Z; resolves when it has continued and the screen is restored. */
  async suspend(): Promise<void> {
    await this.lend(() => this.#stopper.stop());
  }

  /**
   * Lends the terminal in its ordinary modes to another program such as `$EDITOR` while `run` is pending. Takes it back
   * also if `run` rejects, and rejects with the same error.
   */
  async lend<T>(run: () => T | Promise<T>): Promise<T> {
    if (this.#state !== "running") throw new Error("The terminal cannot be lent now.");
    this.#state = "lent";
    // Without a listener SIGTSTP stops the process at once, as needed while suspended or lent.
    this.#process.off(STOP_SIGNAL, this.#onStopSignal);
    this.#removePictures();
    this.out.direct(modesOff(this.capabilities.kittyKeyboard) + ALT_SCREEN_OFF + CURSOR_SHOW);
    this.out.pause();
    this.#undoConsole();
    this.#stopReading();
    await this.out.flushed(FLUSH_TIMEOUT_MS);
    if (this.#isOver()) throw new Error("The session ended before the terminal could be lent.");
    try {
      return await run();
    } finally {
      this.#takeBack();
    }
  }

  /** Sets the window title, sanitised. The old title is restored at the end. */
  setTitle(title: string): void {
    if (title === this.#title) return;
    this.#title = title;
    if (this.#state === "running" && this.out.altScreen) this.out.direct(titleBytes(title));
  }

  /** Puts text on the clipboard (OSC 52); false if it is too long. */
  copy(text: string): boolean {
    const bytes = clipboardBytes(text, this.#process.env);
    if (bytes === undefined || this.#state !== "running") return false;
    this.out.direct(bytes);
    return true;
  }

  /** Shows a notification, by the route of the setting or the one the terminal supports. */
  notify(title: string, body: string, key?: string): void {
    this.#sendNotice((route) => notificationBytes(route, title, body, key));
  }

  withdrawNotice(key: string): void {
    this.#sendNotice((route) => withdrawalBytes(route, key));
  }

  #sendNotice(bytesFor: (route: NoticeRoute) => string): void {
    const { notifications: setting, tmux } = this;
    const { version } = this.capabilities;
    const notice = noticeRoute({ setting, env: this.#process.env, version, tmux });
    const bytes = bytesFor(notice.route);
    if (bytes !== "" && this.#state === "running") this.out.direct(wrapForTmux(bytes, notice.tmux));
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

  /** Written separately: tmux drops passed-through sequences that come together with a screen switch. */
  #removePictures(): void {
    const bytes = this.#options.removePictures?.() ?? "";
    if (bytes !== "") this.out.direct(SYNC_BEGIN + bytes + SYNC_END);
  }

  #isOver(): boolean {
    return this.#state === "over";
  }

  #enteredBytes(): string {
    const keyboard = this.capabilities.kittyKeyboard ? KITTY_PUSH : "";
    const shape = this.#shape === "default" ? "" : cursorShape(this.#shape);
    const title = this.#title ? titleBytes(this.#title) : "";
    const queries = this.#queried ? "" : capabilityQueries(this.#process.env, this.out.isPainted);
    this.#queried = true;
    if (!queries && !this.capabilities.answered) this.#resolveReady(this.capabilities);
    return modesOn(this.modes) + keyboard + shape + title + queries;
  }

  #take(event: InputEvent): void {
    if (this.#state !== "running") return;
    if (event.type === "reply" && this.#answer(event)) return;
    if (event.type === "focus") this.focused = event.on;
    this.#options.onInput(event);
  }

  #answer(reply: ReplyEvent): boolean {
    const reader = this.#capabilities;
    const hadKittyKeyboard = reader.found.kittyKeyboard;
    if (!reader.take(reply)) return false;
    if (!hadKittyKeyboard && reader.found.kittyKeyboard) this.out.direct(KITTY_PUSH);
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
      // The terminal may have disappeared.
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

  /** SIGTSTP from outside: restores the terminal before stopping. */
  readonly #onStopSignal = (): void => {
    if (this.#state === "running") this.suspend().catch(() => {});
  };

  readonly #terminalGone = (): void => {
    this.out.close();
    this.#end(HANGUP_CODE);
  };

  #continued(): void {
    if (this.#stopper.continued()) return;
    if (this.#state !== "running") return;
    // After a stop from outside (SIGSTOP) the shell has changed the terminal, and the modes are unknown.
    this.#removePictures();
    this.out.direct(modesOff(this.capabilities.kittyKeyboard));
    this.#takeBack();
  }

  #takeBack(): void {
    if (this.#isOver()) return;
    const { stdin, stdout, stderr } = this.#process;
    this.#undoConsole();
    this.#undoConsole = divertConsole(this.#options.log, stdout, stderr);
    this.#process.off(STOP_SIGNAL, this.#onStopSignal);
    this.#process.on(STOP_SIGNAL, this.#onStopSignal);
    // libuv skips a call that sets the mode that it assumes to be active.
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    stdin.off("data", this.#read);
    stdin.on("data", this.#read);
    stdin.resume();
    // While stopped the process got no SIGWINCH.
    (stdout as { _refreshSize?(): void })._refreshSize?.();
    blockWrites(stdout, false);
    this.#state = "running";
    this.out.resume();
    this.out.write(ALT_SCREEN_ON + (this.out.cursorShown ? "" : CURSOR_HIDE));
    this.#options.returned?.();
    this.repaint();
  }

  #end(code: number, error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#state === "running" && error === undefined) this.#options.ending?.();
    this.restore();
    // Output a slow terminal has not read yet, including the restoring sequences, would be lost with the process.
    if (this.#process.stdout.writableLength > 0)
      void this.out.flushed(FLUSH_TIMEOUT_MS).then(() => this.#options.end(code, error));
    else this.#options.end(code, error);
  }
}
