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
  HEALTH_INTERVAL,
  PROVIDER_FRAME_LIMIT,
  SILENT_SOCKET_LIMIT,
  SLOW_CONSUMER_QUEUE,
} from "../../wire/constants.ts";
import { timeFromMicros } from "../../wire/time.ts";
import { ApiProblem, type Caller } from "../base/handler.ts";
import { errorBody } from "../base/errors.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import { Packet, type ClientConnection, type ClientLink } from "./hub.ts";
import type { Sessions } from "./sessions.ts";
import { RATE_LIMITED } from "../../wire/errors.ts";

/** A reader that takes nothing for this long after its close frame is cut off. */
const CLOSE_TIMEOUT = 1000;
/** Bytes a connection may leave unread before it counts as slow, whatever the number of events. */
const SLOW_CONSUMER_BYTES = 32 * 1024 * 1024;

interface SocketContext {
  sessions: Sessions;
  clock: ProviderClock;
  /** Authenticates the upgrade and reads the handshake; throws an `ApiProblem`. */
  hello(request: IncomingMessage): { caller: Caller; payload: Record<string, unknown> };
  failed(error: unknown): void;
  /** Answers an upgrade that no WebSocket comes of; ends it. */
  refuse(socket: Duplex, problem: ApiProblem): void;
}

export interface SocketServer {
  /** Takes over a checked upgrade request of `/connect`. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

class SocketLink implements ClientLink {
  readonly #ws: WebSocket;
  readonly #ended: () => void;
  #queued = 0;
  readonly #sent = (): void => {
    this.#queued--;
  };

  /** `ended` runs when we close: the peer may take a while to answer, or never do. */
  constructor(ws: WebSocket, ended: () => void) {
    this.#ws = ws;
    this.#ended = ended;
  }

  get backlog(): number {
    return this.#queued;
  }

  send(packet: Packet): void {
    const ws = this.#ws;
    if (ws.readyState !== WebSocket.OPEN) return;
    const { bytes } = packet;
    // The reader recovers by a query after the reconnect; a frame over the limit would kill it again and again.
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
    this.#ended();
  }
}

function closeCodeFor(error: unknown): number {
  if (!(error instanceof ApiProblem)) return CLOSE_INTERNAL;
  return error.code === RATE_LIMITED ? CLOSE_TOO_MANY : CLOSE_POLICY;
}

/** One WebSocket from its handshake to its end: what it says keeps it alive, and silence closes it. */
class Served {
  readonly #context: SocketContext;
  readonly #ws: WebSocket;
  readonly #link: SocketLink;
  #connection: ClientConnection | undefined;
  #timer: ProviderTimer | undefined;
  /** When something was heard of it, whole microseconds on the clock that is not moved. */
  #heard: number;

  constructor(context: SocketContext, ws: WebSocket) {
    this.#context = context;
    this.#ws = ws;
    this.#link = new SocketLink(ws, this.#gone);
    this.#heard = context.clock.steady();
    ws.on("error", () => ws.terminate());
    ws.on("close", this.#gone);
    ws.on("ping", this.#alive);
    ws.on("pong", this.#alive);
    ws.on("message", (data: Buffer) => {
      this.#alive();
      if (this.#connection && isPing(data)) this.#health();
    });
  }

  async open(request: IncomingMessage): Promise<void> {
    const { sessions, hello, failed } = this.#context;
    const start = performance.now();
    try {
      const { caller, payload } = hello(request);
      await sessions.open(caller, payload, this.#link, (opened, frame) => {
        this.#connection = opened;
        opened.begin(frame);
        this.#tick(false);
      });
      // Closed while the handshake was being committed: its close event found no connection.
      if (this.#ws.readyState !== WebSocket.OPEN) this.#gone();
    } catch (error) {
      if (!(error instanceof ApiProblem)) failed(error);
      this.#link.close(closeCodeFor(error), JSON.stringify({ error: errorBody("Connect", error, start) }));
    }
  }

  readonly #gone = (): void => {
    this.#timer?.cancel();
    if (this.#connection) this.#context.sessions.closed(this.#connection);
  };

  readonly #alive = (): void => {
    this.#heard = this.#context.clock.steady();
  };

  #health(): void {
    const created_at = timeFromMicros(this.#context.clock.now());
    this.#link.send(
      new Packet(JSON.stringify({ type: "health.check", connection_id: this.#connection?.id, created_at })),
    );
  }

  /** Half the interval, so that silence is noticed soon after its limit. */
  #tick(beat: boolean): void {
    const { clock } = this.#context;
    this.#timer = clock.after(HEALTH_INTERVAL / 2, () => {
      if (clock.steady() - this.#heard >= SILENT_SOCKET_LIMIT * 1000)
        return this.#link.close(CLOSE_GOING_AWAY);
      if (beat) this.#health();
      this.#tick(!beat);
    });
  }
}

export function createSocketServer(context: SocketContext): SocketServer {
  const options = {
    noServer: true,
    maxPayload: CLIENT_FRAME_LIMIT,
    perMessageDeflate: false,
    closeTimeout: CLOSE_TIMEOUT,
  };
  const server = new WebSocketServer(options);
  // The library's own answer would be HTML (specification/errors.md §6).
  server.on("wsClientError", (error, socket) => context.refuse(socket, ApiProblem.input(error.message)));
  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (ws) => void new Served(context, ws).open(request));
    },
    close() {
      for (const ws of server.clients) if (ws.readyState === WebSocket.OPEN) ws.close(CLOSE_GOING_AWAY);
      server.close();
    },
  };
}

/** An array or object with a `health.check`; any other text is life only (specification/realtime.md §3). */
function isPing(data: Buffer): boolean {
  if (data.length > 4096) return false;
  try {
    const value: unknown = JSON.parse(data.toString("utf8"));
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return (first as { type?: unknown } | null | undefined)?.type === "health.check";
  } catch {
    return false;
  }
}
