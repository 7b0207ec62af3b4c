/** Fake sockets and requests that wait until the test answers them. */
import {
  PortFailure,
  type HttpReply,
  type HttpRequest,
  type Log,
  type RequestPort,
  type SocketHandlers,
  type SocketPort,
} from "../../src/core/base/ports.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export class FakeSocket {
  readonly url: string;
  readonly handlers: SocketHandlers;
  sent: string[] = [];
  closed: number | "terminated" | undefined;
  constructor(url: string, handlers: SocketHandlers) {
    this.url = url;
    this.handlers = handlers;
  }
  /** Delivers a frame. */
  frame(value: unknown): void {
    this.handlers.message(typeof value === "string" ? value : JSON.stringify(value));
  }
}

export interface FakeSockets {
  port: SocketPort;
  all: FakeSocket[];
  readonly last: FakeSocket;
}

export function fakeSockets(): FakeSockets {
  const all: FakeSocket[] = [];
  return {
    all,
    get last() {
      const socket = all.at(-1);
      if (!socket) throw new Error("no socket was opened");
      return socket;
    },
    port: (url, handlers) => {
      const socket = new FakeSocket(url, handlers);
      all.push(socket);
      return {
        send: (text) => void socket.sent.push(text),
        close: (code) => (socket.closed ??= code),
        terminate: () => (socket.closed ??= "terminated"),
      };
    },
  };
}

export interface FakeCall {
  request: HttpRequest;
  url: URL;
  /** `METHOD /path`. */
  what: string;
  body: Record<string, unknown>;
}

export const jsonReply = (body: unknown, status = 200, headers: Record<string, string> = {}): HttpReply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  text: typeof body === "string" ? body : JSON.stringify(body),
});

export const errorReply = (status: number, code: number, message = `refused with ${code}`): HttpReply =>
  jsonReply({ code, message, StatusCode: status, duration: "0.1ms", more_info: "" }, status);

export type FakeAnswer = HttpReply | "never" | PortFailure;

/** Answers by `METHOD /path`; unknown ones get 404 with code 16; `"never"` waits for the timeout or the abort. */
export function fakeRequests(
  clock: VirtualClock,
  on: Record<string, (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>>,
): { port: RequestPort; calls: FakeCall[] } {
  const calls: FakeCall[] = [];
  const port: RequestPort = async (request) => {
    const url = new URL(request.url);
    const call: FakeCall = {
      request,
      url,
      what: `${request.method} ${url.pathname}`,
      body: typeof request.body === "string" ? (JSON.parse(request.body) as Record<string, unknown>) : {},
    };
    calls.push(call);
    if (request.signal?.aborted) throw new PortFailure("abort", "cancelled");
    const answer = (await on[call.what]?.(call)) ?? errorReply(404, 16);
    if (answer instanceof PortFailure) throw answer;
    if (answer !== "never") return answer;
    return new Promise<HttpReply>((_, reject) => {
      const timer =
        request.timeout > 0
          ? clock.setTimeout(() => reject(new PortFailure("timeout", "no answer in time")), request.timeout)
          : undefined;
      request.signal?.addEventListener("abort", () => {
        clock.clearTimeout(timer);
        reject(new PortFailure("abort", "cancelled"));
      });
    });
  };
  return { port, calls };
}

export function fakeLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write = (level: string) => (text: string, fields?: Record<string, unknown>) =>
    void lines.push(`${level} ${text}${fields ? ` ${JSON.stringify(fields)}` : ""}`);
  return { lines, debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
