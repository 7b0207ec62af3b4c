/** The WebSocket side of `/connect`: handshake, error frames, pings, silence and slow readers (specification/realtime.md §1–5). */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import {
  CLIENT_FRAME_LIMIT,
  CLOSE_GOING_AWAY,
  CLOSE_INTERNAL,
  CLOSE_POLICY,
  CLOSE_TOO_BIG,
  CLOSE_TOO_MANY,
  FRAMES_PER_MINUTE,
  HEALTH_INTERVAL,
  PROVIDER_FRAME_LIMIT,
  SILENT_SOCKET_LIMIT,
  SLOW_CONSUMER_QUEUE,
} from "../../wire/constants.ts";
import { parseBounded } from "../../wire/bounded-json.ts";
import { timeFromMicros } from "../../wire/time.ts";
import { ApiProblem, type Caller } from "../base/handler.ts";
import { errorBody } from "../base/errors.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import { Packet, type ClientConnection, type ClientLink } from "./hub.ts";
import type { Sessions } from "./sessions.ts";
import { RATE_LIMITED } from "../../wire/errors.ts";

/** A client that does not answer the close frame is cut off after this long, milliseconds. */
const CLOSE_TIMEOUT = 1000;
/** Unsent bytes from which a connection counts as slow, whatever the number of events. */
const SLOW_CONSUMER_BYTES = 32 * 1024 * 1024;

interface SocketContext {
  sessions: Sessions;
  clock: ProviderClock;
  /** Authenticates the upgrade and reads the handshake; throws an `ApiProblem`. */
  readHandshake(request: IncomingMessage): { caller: Caller; payload: Record<string, unknown> };
  reportError(error: unknown): void;
  /** Answers a failed upgrade with an error and closes the socket. */
  refuse(socket: Duplex, problem: ApiProblem): void;
}

export interface SocketServer {
  /** Takes over a checked upgrade request of `/connect`. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

class SocketLink implements ClientLink {
  readonly #ws: WebSocket;
  readonly #onClosing: () => void;
  #queued = 0;
  readonly #sent = (): void => {
    this.#queued--;
  };

  /** `onClosing` is called as soon as this side closes, because the client may answer late or never. */
  constructor(ws: WebSocket, onClosing: () => void) {
    this.#ws = ws;
    this.#onClosing = onClosing;
  }

  get backlog(): number {
    return this.#queued;
  }

  send(packet: Packet): void {
    const ws = this.#ws;
    if (ws.readyState !== WebSocket.OPEN) return;
    const { bytes } = packet;
    // The client reconnects and recovers by a query; a frame over the limit would break its connection again and again.
    if (bytes.length > PROVIDER_FRAME_LIMIT) return this.close(CLOSE_TOO_BIG);
    if (this.#queued >= SLOW_CONSUMER_QUEUE || ws.bufferedAmount > SLOW_CONSUMER_BYTES)
      return this.close(CLOSE_POLICY);
    this.#queued++;
    ws.send(bytes, { binary: false }, this.#sent);
  }

  close(code: number, error?: string): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return;
    if (error !== undefined) this.#ws.send(error);
    this.#ws.close(code);
    this.#onClosing();
  }
}

function closeCodeFor(error: unknown): number {
  if (!(error instanceof ApiProblem)) return CLOSE_INTERNAL;
  return error.code === RATE_LIMITED ? CLOSE_TOO_MANY : CLOSE_POLICY;
}

/** One WebSocket from its handshake to its end; it is closed when the client is silent too long. */
class SocketSession {
  readonly #context: SocketContext;
  readonly #ws: WebSocket;
  readonly #link: SocketLink;
  #connection: ClientConnection | undefined;
  #timer: ProviderTimer | undefined;
  /** When the client last sent something, whole microseconds of `clock.steadyNow()`. */
  #lastReceived: number;
  /** The current minute, in the same time, and the frames received in it. */
  #minute: { began: number; frames: number };

  constructor(context: SocketContext, ws: WebSocket) {
    this.#context = context;
    this.#ws = ws;
    this.#link = new SocketLink(ws, this.#onClose);
    this.#lastReceived = context.clock.steadyNow();
    this.#minute = { began: this.#lastReceived, frames: 0 };
    ws.on("error", () => ws.terminate());
    ws.on("close", this.#onClose);
    ws.on("ping", this.#onFrame);
    ws.on("pong", this.#onFrame);
    ws.on("message", (data: Buffer) => {
      this.#onFrame();
      if (this.#connection && isPing(data)) this.#sendHealthCheck();
    });
  }

  async open(request: IncomingMessage): Promise<void> {
    const { sessions, readHandshake, reportError } = this.#context;
    const start = performance.now();
    try {
      const { caller, payload } = readHandshake(request);
      await sessions.open(caller, payload, this.#link, (opened, frame) => {
        this.#connection = opened;
        opened.begin(frame);
        this.#tick(false);
      });
      // When the socket closed while the handshake was committed, its close event found no connection.
      if (this.#ws.readyState !== WebSocket.OPEN) this.#onClose();
    } catch (error) {
      if (!(error instanceof ApiProblem)) reportError(error);
      this.#link.close(closeCodeFor(error), JSON.stringify({ error: errorBody("Connect", error, start) }));
    }
  }

  readonly #onClose = (): void => {
    this.#timer?.cancel();
    if (this.#connection) this.#context.sessions.onClosed(this.#connection);
  };

  /** A frame of any kind shows that the client is alive; too many of them in a minute end its connection. */
  readonly #onFrame = (): void => {
    const now = this.#context.clock.steadyNow();
    this.#lastReceived = now;
    if (now - this.#minute.began >= 60_000_000) this.#minute = { began: now, frames: 0 };
    if (++this.#minute.frames > FRAMES_PER_MINUTE) this.#link.close(CLOSE_POLICY);
  };

  #sendHealthCheck(): void {
    const created_at = timeFromMicros(this.#context.clock.now());
    this.#link.send(
      new Packet(JSON.stringify({ type: "health.check", connection_id: this.#connection?.id, created_at })),
    );
  }

  /** Runs every half interval, so that silence is noticed soon after its limit; sends a health check every second time. */
  #tick(withHealthCheck: boolean): void {
    const { clock } = this.#context;
    this.#timer = clock.after(HEALTH_INTERVAL / 2, () => {
      if (clock.steadyNow() - this.#lastReceived >= SILENT_SOCKET_LIMIT * 1000)
        return this.#link.close(CLOSE_GOING_AWAY);
      if (withHealthCheck) this.#sendHealthCheck();
      this.#tick(!withHealthCheck);
    });
  }
}

export function createSocketServer(context: SocketContext): SocketServer {
  const options = {
    noServer: true,
    maxPayload: CLIENT_FRAME_LIMIT,
    // An empty part would cost memory and count nowhere.
    maxFragments: FRAMES_PER_MINUTE,
    // Pings are counted like all frames; ws would cut a connection without a close.
    maxPendingAutoPongs: 0,
    perMessageDeflate: false,
    closeTimeout: CLOSE_TIMEOUT,
  };
  const server = new WebSocketServer(options);
  // By default ws would answer with HTML (specification/errors.md §6).
  server.on("wsClientError", (error, socket) => context.refuse(socket, ApiProblem.input(error.message)));
  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (ws) => void new SocketSession(context, ws).open(request));
    },
    close() {
      for (const ws of server.clients) if (ws.readyState === WebSocket.OPEN) ws.close(CLOSE_GOING_AWAY);
      server.close();
    },
  };
}

/** Whether a frame asks for a health check; any other text only shows that the client is alive (specification/realtime.md §3). */
function isPing(data: Buffer): boolean {
  if (data.length > 4096) return false;
  const value = parseBounded(data.toString("utf8"), "request");
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return (first as { type?: unknown } | null | undefined)?.type === "health.check";
}
