/** A TLS proxy in front of a provider without TLS, like a load balancer or an inspecting proxy. */
import http from "node:http";
import https from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Pair } from "./certificates.ts";

export interface TlsFront {
  /** https://localhost:port */
  url: string;
  port: number;
  /** Request lines, including upgrades. */
  seen: string[];
  /** The reasons of failed TLS handshakes. */
  brokenOff: string[];
  /** Upgraded connections are closed after this many milliseconds. */
  cutUpgradesAfter: number | undefined;
  /** Changes the request target before it is forwarded. */
  rewrite(target: string): string;
  /** Answers instead of the provider; returns whether it did. */
  answer: ((request: http.IncomingMessage, response: http.ServerResponse) => boolean) | undefined;
  /** Uses this certificate from now on. */
  show(pair: Pair): void;
  /** Ends every connection. */
  drop(): void;
  close(): Promise<void>;
}

/** `target` is called for each request: the provider may come back on another port. It serves its own host name only. */
export async function startTlsFront(pair: Pair, target: () => string): Promise<TlsFront> {
  const links = new Set<Duplex>();
  const keep = <S extends Duplex>(link: S): S => {
    links.add(link);
    link.on("error", () => link.destroy());
    link.once("close", () => links.delete(link));
    return link;
  };
  const server = https.createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    front.seen.push(`${request.method} ${request.url}`);
    if (front.answer?.(request, response)) return;
    const { hostname, port } = new URL(target());
    const headers = { ...request.headers, host: `${hostname}:${port}` };
    const inner = http.request(
      { hostname, port, method: request.method, path: front.rewrite(request.url!), headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    inner.on("error", () => response.destroy());
    response.on("close", () => inner.destroy());
    request.pipe(inner);
  });
  server.on("connection", (socket: Socket) => void keep(socket));
  server.on("tlsClientError", (error: NodeJS.ErrnoException) =>
    front.brokenOff.push(error.code ?? error.message),
  );
  server.on("upgrade", (request, socket: Duplex, head: Buffer) => {
    front.seen.push(`${request.method} ${request.url}`);
    const { hostname, port } = new URL(target());
    const inner = keep(connect(Number(port), hostname));
    const lines = Object.entries({ ...request.headers, host: `${hostname}:${port}` });
    inner.write(
      `GET ${front.rewrite(request.url!)} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    inner.write(head);
    keep(socket).pipe(inner).pipe(socket);
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const)
      one.on("close", () => other.destroy());
    if (front.cutUpgradesAfter === undefined) return;
    const timer = setTimeout(() => socket.destroy(), front.cutUpgradesAfter);
    socket.once("close", () => clearTimeout(timer));
  });
  const drop = (): void => links.forEach((link) => link.destroy());
  const front: TlsFront = {
    url: "",
    port: 0,
    seen: [],
    brokenOff: [],
    cutUpgradesAfter: undefined,
    rewrite: (target) => target,
    answer: undefined,
    show: (next) => server.setSecureContext({ cert: next.cert, key: next.key }),
    drop,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        drop();
      }),
  };
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  front.port = (server.address() as AddressInfo).port;
  front.url = `https://localhost:${front.port}`;
  return front;
}
