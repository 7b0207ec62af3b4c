/** One WebSocket from dialling to its end: first frame, batches of frames, error frames, goodbye (specification/realtime.md §1–3). */
import { ACCEPTED_FRAME_LIMIT, CLOSE_NORMAL, CLOSE_TOO_BIG, CLOSE_WAIT } from "../../wire/constants.ts";
import { CODES, refusesCredentials } from "../../wire/errors.ts";
import type { CodeRow, ErrorBody } from "../../wire/errors.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { PORTAL } from "../../model/obstacles.ts";
import { parseBounded } from "../http/bounded-json.ts";
import { apiError, isPortal } from "../http/decode.ts";
import type { Clock, Socket, SocketPort, Timer } from "../base/ports.ts";
import { readHello } from "./connection-attempt.ts";
import type { Attempt, AttemptHandlers, EventReader } from "./connection-attempt.ts";
import type { End } from "./transitions.ts";

export interface WebSocketDeps {
  socket: SocketPort;
  clock: Clock;
  reader: EventReader;
}

/** Events that may come before the first frame has opened the connection. */
const EARLY = 1000;

const isHealthCheck = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (value as { type?: unknown }).type === "health.check";

export interface Dial {
  url: string;
  /** Sent with pings: `<user id>--<uuid>`. */
  clientId: string;
  /** Milliseconds until the first frame must have come. */
  timeout: number;
}

function statusOf(body: Partial<ErrorBody>): number {
  if (typeof body.StatusCode === "number") return body.StatusCode;
  const row = (CODES as Record<number, CodeRow>)[body.code ?? Number.NaN];
  return row?.status ?? 500;
}

const NO_HELLO = "the provider's first frame cannot be understood";

/** A refused upgrade says why in an error body, except 404 which is no API answer (specification/realtime.md §2). */
function refusal(status: number, body: string): End | undefined {
  if (status === 404) return undefined;
  const value = parseBounded(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return { kind: "error", at: "open", error: apiError(value as Partial<ErrorBody>, status) };
}

/** A close may say in its reason what an error frame would say: only refused credentials change what it means. */
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

export function openWebSocket(deps: WebSocketDeps, dial: Dial, handlers: AttemptHandlers): Attempt {
  const { clock, reader } = deps;
  let socket: Socket | undefined;
  let open = false;
  let over = false;
  let batch: AnyEvent[] = [];
  let flushing: Timer | undefined;
  let closing: { done(): void } | undefined;
  let refused: End | undefined;

  const deadline = clock.setTimeout(
    () => end({ kind: "timeout", message: "the provider did not answer in time" }),
    dial.timeout,
  );
  const flush = (): void => {
    flushing = undefined;
    const events = batch;
    batch = [];
    if (events.length) handlers.events(events);
  };
  const release = (): void => {
    over = true;
    clock.clearTimeout(deadline);
    clock.clearTimeout(flushing);
  };
  const end = (how: End, code?: number): void => {
    if (over) return;
    release();
    if (open) flush();
    if (code === undefined) socket?.terminate();
    else socket?.close(code);
    handlers.ended(how);
  };

  const frame = (text: string): void => {
    if (over) return;
    if (text.length > ACCEPTED_FRAME_LIMIT) return end({ kind: "close", code: CLOSE_TOO_BIG }, CLOSE_TOO_BIG);
    const value = parseBounded(text);
    if (value === undefined) {
      reader.skipped("a frame that is not JSON", { length: text.length });
      return handlers.alive();
    }
    handlers.alive();
    const error =
      typeof value === "object" && value !== null ? (value as { error?: unknown }).error : undefined;
    if (typeof error === "object" && error !== null && !Array.isArray(error)) {
      const body = error as Partial<ErrorBody>;
      return end({ kind: "error", at: "open", error: apiError(body, statusOf(body)) });
    }
    const event = reader.read(value);
    if (!event) {
      if (!open && isHealthCheck(value)) end({ kind: "network", message: NO_HELLO });
      return;
    }
    if (event.type === "health.check") {
      handlers.healthCheck(event.created_at);
      const hello = open ? undefined : readHello(event);
      if (!hello) return;
      open = true;
      clock.clearTimeout(deadline);
      return handlers.opened(hello);
    }
    batch.push(event);
    if (!open && batch.length > EARLY) return end({ kind: "network", message: NO_HELLO });
    // A whole tick's frames make one batch: 20,000 messages cost a few reductions, not 20,000.
    if (open) flushing ??= clock.setTimeout(flush, 0);
  };

  socket = deps.socket(dial.url, {
    message: frame,
    refused(status, body) {
      refused =
        refusal(status, body) ??
        (isPortal(status, body)
          ? { kind: "network", message: PORTAL.says, obstacle: PORTAL }
          : { kind: "network", message: `the WebSocket was refused with status ${status}` });
    },
    failed({ obstacle }) {
      if (obstacle) refused ??= { kind: "network", message: obstacle.says, obstacle };
    },
    close(code, reason) {
      closing?.done();
      end(
        refused ??
          refusalIn(reason) ??
          (!open && code === 1006
            ? { kind: "network", message: "the provider cannot be reached" }
            : { kind: "close", code }),
      );
    },
  });
  return {
    ping() {
      if (open && !over) socket.send(JSON.stringify([{ type: "health.check", client_id: dial.clientId }]));
    },
    close() {
      release();
      return new Promise((resolve) => {
        const timer = clock.setTimeout(() => {
          socket.terminate();
          resolve();
        }, CLOSE_WAIT);
        closing = {
          done() {
            clock.clearTimeout(timer);
            resolve();
          },
        };
        socket.close(CLOSE_NORMAL);
      });
    },
    drop() {
      release();
      socket.terminate();
    },
  };
}
