/** Opens a WebSocket beside the current connection and replaces it: to leave long polling, or to use a newer token (specification/realtime.md §11). */
import { WEBSOCKET_RETRY_ON_LONGPOLL } from "../../wire/constants.ts";
import type { Clock, Timer } from "../base/ports.ts";
import type { Attempts } from "./attempts.ts";
import type { Attempt } from "./connection-attempt.ts";
import type { LinkState, Mode } from "./transitions.ts";

interface ReplacementDeps {
  clock: Clock;
  mode: Mode;
  attempts: Attempts;
  state(): LinkState;
  /** Dials a WebSocket with this attempt number. */
  dial(number: number): Promise<Attempt>;
}

export class Replacement {
  readonly #deps: ReplacementDeps;
  #trying: { number: number; attempt?: Attempt } | undefined;
  #timer: Timer | undefined;
  /** Monotonic time of the next try from long polling. */
  #due = 0;

  constructor(deps: ReplacementDeps) {
    this.#deps = deps;
  }

  isTrying(number: number): boolean {
    return this.#trying?.number === number;
  }

  /** One at a time, and only beside an open connection. */
  try(): void {
    const { attempts, state } = this.#deps;
    if (this.#trying || state().phase !== "open") return;
    const number = attempts.reserve();
    const trying: { number: number; attempt?: Attempt } = { number };
    this.#trying = trying;
    this.#deps.dial(number).then(
      (attempt) => {
        if (this.#trying === trying) trying.attempt = attempt;
        else attempts.opened(number, attempt);
      },
      () => {
        if (this.#trying === trying) this.#trying = undefined;
        this.scheduleWebSocket();
      },
    );
  }

  readonly tryWebSocket = (): void => {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#due = 0;
    if (this.#deps.mode === "auto") this.try();
  };

  /** While long polling, a WebSocket is tried at regular intervals. */
  scheduleWebSocket(): void {
    const { clock, mode, state } = this.#deps;
    clock.clearTimeout(this.#timer);
    const { phase, transport } = state();
    if (mode !== "auto" || phase !== "open" || transport !== "longpoll") return;
    const now = clock.monotonic();
    if (this.#due <= now) this.#due = now + WEBSOCKET_RETRY_ON_LONGPOLL;
    this.#timer = clock.setTimeout(this.tryWebSocket, this.#due - now);
  }

  /** The WebSocket has opened: it becomes the connection, and the old one is closed. */
  replaceCurrent(): void {
    const { number, attempt } = this.#trying!;
    this.#trying = undefined;
    void this.#deps.attempts.replace(number, attempt)?.close();
  }

  /** The WebSocket ended before it opened. */
  ended(): void {
    this.#trying = undefined;
  }

  /** The connection is no longer open. */
  cancel(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#trying?.attempt?.drop();
    this.#trying = undefined;
  }
}
