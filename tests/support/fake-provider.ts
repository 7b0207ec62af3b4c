/** A provider over real sockets that does exactly what the test configures: answers, breaks, stays silent, closes with any code. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import type { OwnUser } from "../../src/wire/entities/user.ts";
import { ownUser } from "./own-user.ts";
import { PATIENCE } from "./patience.ts";

export interface Seen {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Strings are sent as they are, anything else as JSON. */
  body?: unknown;
  /** Writes the raw response instead. */
  raw?(response: ServerResponse, socket: Socket): void;
}

export interface FakeProvider {
  url: string;
  seen: Seen[];
  sockets: WebSocket[];
  /** Answers by `METHOD /path`; other calls get 404 with code 16. */
  on: Record<string, (seen: Seen) => Answer | Promise<Answer>>;
  /** Sends the first frames on an accepted socket. */
  hello(socket: WebSocket, seen: URLSearchParams): void;
  /** Replaces the handling of the upgrade. */
  upgrade?: ((socket: Socket, request: IncomingMessage) => void) | undefined;
  close(): Promise<void>;
}

export const fakeMe = (id: string): OwnUser => ownUser(id, { role: "user" });

export const helloFrame = (user: string, connection = "c1"): Record<string, unknown> => ({
  type: "health.check",
  connection_id: connection,
  created_at: "2026-03-04T05:06:07.089012Z",
  me: fakeMe(user),
});

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("latin1");
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const sockets: WebSocket[] = [];
  const links = new Set<Socket>();
  const wss = new WebSocketServer({ noServer: true });
  let count = 0;
  const provider: FakeProvider = {
    url: "",
    seen: [],
    sockets,
    on: { "GET /hi": () => ({ body: { duration: "0.05ms" } }) },
    hello: (socket, query) => {
      const { user_id: user } = JSON.parse(query.get("json") ?? "{}") as { user_id: string };
      socket.send(JSON.stringify(helloFrame(user, `c${++count}`)));
    },
    close: () => stop(),
  };
  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://fake");
    const body = await read(request).catch(() => "");
    const seen: Seen = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    };
    provider.seen.push(seen);
    const answer = (await provider.on[`${seen.method} ${seen.path}`]?.(seen)) ?? {
      status: 404,
      body: { code: 16, message: "there is no such route", StatusCode: 404, duration: "", more_info: "" },
    };
    if (answer.raw) return answer.raw(response, request.socket);
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {});
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(text);
  });
  server.on("connection", (socket) => {
    links.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => links.delete(socket));
  });
  server.on("upgrade", (request, socket, head) => {
    if (provider.upgrade) return provider.upgrade(socket as Socket, request);
    wss.handleUpgrade(request, socket, head, (ws) => {
      sockets.push(ws);
      ws.on("error", () => undefined);
      provider.hello(ws, new URL(request.url ?? "/", "http://fake").searchParams);
    });
  });
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.terminate();
    for (const link of links) link.destroy();
    wss.close();
    await new Promise<void>((done) => server.close(() => done()));
  };
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;
}

/** Waits until the check passes; after `ms` milliseconds it fails with `what` in the message. */
export async function until(what: string, check: () => unknown, ms = PATIENCE): Promise<void> {
  const end = performance.now() + ms;
  while (!check()) {
    if (performance.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
