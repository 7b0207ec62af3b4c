/** A WebSocket connection: first frame, batches of events, error frames, close (specification/realtime.md §1–3). */
import { ACCEPTED_FRAME_LIMIT, CLOSE_NORMAL, CLOSE_TOO_BIG, CLOSE_WAIT } from "../../wire/constants.ts";
import { CODES, refusesCredentials, type CodeRow, type ErrorBody } from "../../wire/errors.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { PORTAL, isPortal } from "../../model/obstacles.ts";
import { parseBounded } from "../../wire/bounded-json.ts";
import { apiError } from "../http/decode.ts";
import type { Clock, Socket, SocketPort, Timer } from "../base/ports.ts";
import { readHello, type Attempt, type AttemptHandlers, type EventReader } from "./attempts.ts";
import { CLOSE_ABNORMAL, type End } from "./transitions.ts";
import { isObject } from "../../wire/json-object.ts";

interface WebSocketDeps {
  socket: SocketPort;
  clock: Clock;
  reader: EventReader;
}

/** Most events before the first frame. */
const MAX_EARLY_EVENTS = 1000;

const isHealthCheck = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (value as { type?: unknown }).type === "health.check";

interface Dial {
  url: string;
  /** Sent with pings: `<user id>--<uuid>`. */
  clientId: string;
  /** Milliseconds to wait for the first frame. */
  timeout: number;
}

function statusOf(body: Partial<ErrorBody>): number {
  if (typeof body.StatusCode === "number") return body.StatusCode;
  const row = (CODES as Record<number, CodeRow>)[body.code ?? Number.NaN];
  return row?.status ?? 500;
}

const NO_HELLO = "the provider's first frame cannot be understood";

/** Reads the error body of a refused upgrade; a 404 is no API answer (specification/realtime.md §2). */
function refusal(status: number, body: string): End {
  const value = status === 404 ? undefined : parseBounded(body);
  if (isObject(value)) return { kind: "error", at: "open", error: apiError(value, status) };
  return isPortal(status, body)
    ? { kind: "network", message: PORTAL.reason, obstacle: PORTAL }
    : { kind: "network", message: `the WebSocket was refused with status ${status}` };
}

/** The close reason may contain an error body; only refused credentials matter. */
function refusalIn(reason: string): End | undefined {
  try {
    const value = JSON.parse(reason) as { error?: Partial<ErrorBody> } & Partial<ErrorBody>;
    const body = value.error ?? value;
    if (!refusesCredentials(body.code)) return undefined;
    return { kind: "error", at: "open", error: apiError(body, statusOf(body)) };
  } catch {
    return undefined;
  }
}

/** The error body of an error frame; undefined for any other frame. */
function errorIn(value: unknown): Partial<ErrorBody> | undefined {
  return isObject(value) && isObject(value.error) ? value.error : undefined;
}

export class WebSocketAttempt implements Attempt {
  readonly #deps: WebSocketDeps;
  readonly #dial: Dial;
  readonly #handlers: AttemptHandlers;
  readonly #deadline: Timer;
  #socket: Socket | undefined;
  #open = false;
  #ended = false;
  #batch: AnyEvent[] = [];
  #flushing: Timer | undefined;
  /** Why the upgrade was refused. */
  #refused: End | undefined;
  /** Resolves a pending `close`. */
  #closed: (() => void) | undefined;

  constructor(deps: WebSocketDeps, dial: Dial, handlers: AttemptHandlers) {
    this.#deps = deps;
    this.#dial = dial;
    this.#handlers = handlers;
    this.#deadline = deps.clock.setTimeout(
      () => this.#end({ kind: "timeout", message: "the provider did not answer in time" }),
      dial.timeout,
    );
    this.#socket = deps.socket(dial.url, {
      message: (text) => this.#frame(text),
      refused: (status, body) => (this.#refused = refusal(status, body)),
      failed: ({ obstacle }) => {
        if (obstacle) this.#refused ??= { kind: "network", message: obstacle.reason, obstacle };
      },
      close: (code, reason) => {
        this.#closed?.();
        this.#end(this.#refused ?? refusalIn(reason) ?? this.#closeOf(code));
      },
    });
  }

  ping(): void {
    if (this.#open && !this.#ended)
      this.#socket!.send(JSON.stringify([{ type: "health.check", client_id: this.#dial.clientId }]));
  }

  close(): Promise<void> {
    const { clock } = this.#deps;
    const socket = this.#socket!;
    this.#release();
    return new Promise((resolve) => {
      const timer = clock.setTimeout(() => {
        socket.terminate();
        resolve();
      }, CLOSE_WAIT);
      this.#closed = () => {
        clock.clearTimeout(timer);
        resolve();
      };
      socket.close(CLOSE_NORMAL);
    });
  }

  drop(): void {
    this.#release();
    this.#socket!.terminate();
  }

  #frame(text: string): void {
    if (this.#ended) return;
    if (text.length > ACCEPTED_FRAME_LIMIT)
      return this.#end({ kind: "close", code: CLOSE_TOO_BIG }, CLOSE_TOO_BIG);
    const { reader } = this.#deps;
    const value = parseBounded(text);
    this.#handlers.alive();
    if (value === undefined) return reader.reportSkipped("a frame that is not JSON", { length: text.length });
    const error = errorIn(value);
    if (error) return this.#end({ kind: "error", at: "open", error: apiError(error, statusOf(error)) });
    const event = reader.read(value);
    if (!event) {
      if (!this.#open && isHealthCheck(value)) this.#end({ kind: "network", message: NO_HELLO });
    } else if (event.type === "health.check") this.#healthCheck(event);
    else this.#addToBatch(event);
  }

  /** The first health check opens the connection. */
  #healthCheck(event: AnyEvent): void {
    this.#handlers.healthCheck(event.created_at);
    const hello = this.#open ? undefined : readHello(event);
    if (!hello) return;
    this.#open = true;
    this.#deps.clock.clearTimeout(this.#deadline);
    this.#handlers.opened(hello);
  }

  /** All events of a tick make one batch, so that 20,000 messages need only a few reductions. */
  #addToBatch(event: AnyEvent): void {
    this.#batch.push(event);
    if (this.#open) this.#flushing ??= this.#deps.clock.setTimeout(this.#flush, 0);
    else if (this.#batch.length > MAX_EARLY_EVENTS) this.#end({ kind: "network", message: NO_HELLO });
  }

  readonly #flush = (): void => {
    this.#flushing = undefined;
    const events = this.#batch;
    this.#batch = [];
    if (events.length) this.#handlers.events(events);
  };

  #closeOf(code: number): End {
    return !this.#open && code === CLOSE_ABNORMAL
      ? { kind: "network", message: "the provider cannot be reached" }
      : { kind: "close", code };
  }

  /** Later events are ignored. */
  #release(): void {
    this.#ended = true;
    this.#deps.clock.clearTimeout(this.#deadline);
    this.#deps.clock.clearTimeout(this.#flushing);
  }

  #end(end: End, code?: number): void {
    if (this.#ended) return;
    this.#release();
    if (this.#open) this.#flush();
    if (code === undefined) this.#socket?.terminate();
    else this.#socket?.close(code);
    this.#handlers.ended(end);
  }
}
