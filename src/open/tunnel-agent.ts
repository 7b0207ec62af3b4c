/** The HTTPS agent behind a proxy: opens each tunnel within a time limit, and reads no more of the proxy's answer than its headers. */
// Own code, because libraries pass on the proxy's page as if it were the provider's, and Node's own agent has no limit for the
// proxy's answer: it doubles its listeners with each piece, and thirty pieces take the memory of the machine.
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import tls, { type ConnectionOptions } from "node:tls";
import type { Proxy } from "../config/proxy.ts";
import { NO_TUNNEL } from "../model/transport.ts";
import { CONNECT_TIMEOUT, HEADER_LIMIT } from "../wire/constants.ts";

type Destination = ConnectionOptions & { host: string; port: number | string };

/** Has the code of Node's own tunnels, and the status with which the proxy refused. */
const noTunnel = (statusCode?: number): Error =>
  Object.assign(new Error("the proxy opened no tunnel"), {
    code: NO_TUNNEL,
    ...(statusCode !== undefined && { statusCode }),
  });

const authorityOf = ({ host, port }: Destination): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The name and password of a proxy's address, as the header of the request. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(text).toString("base64")}` };
}

/** Resolves with the connection to the destination; its TLS has not begun. Rejects with the failure of the proxy. */
function openTunnel(proxy: URL, destination: Destination, within: number): Promise<Socket> {
  const authority = authorityOf(destination);
  const request = (proxy.protocol === "https:" ? https : http).request({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...credentialsOf(proxy) },
    agent: false,
    maxHeaderSize: HEADER_LIMIT,
    signal: AbortSignal.timeout(within),
  });
  return new Promise((resolve, reject) => {
    request.on("connect", ({ statusCode }: IncomingMessage, socket: Socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(noTunnel(statusCode));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isSystemError = error.syscall !== undefined || error.code === "ECONNRESET";
      reject(isSystemError ? error : noTunnel());
    });
    request.end();
  });
}

/** Makes TLS over a tunnel, within the same time. */
function secure(options: Destination, socket: Socket, within: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secured = tls.connect({ ...options, socket }, () => {
      clearTimeout(timer);
      secured.off("error", reject);
      resolve(secured);
    });
    secured.once("error", reject);
    const timer = setTimeout(() => secured.destroy(noTunnel()), within);
    secured.once("close", () => clearTimeout(timer));
  });
}

/** Node's own agent reads the answer of a proxy without a limit, and slower with each piece of it. */
export class TunnelAgent extends https.Agent {
  readonly #proxyFor: (url: string) => Promise<Proxy | undefined>;

  readonly #within: number;

  /** `proxyFor`: the proxy for an address; undefined to connect directly. `within`: time limit of a tunnel and of TLS over it, ms. */
  constructor(proxyFor: (url: string) => Promise<Proxy | undefined>, within = CONNECT_TIMEOUT) {
    super({ keepAlive: true });
    this.#proxyFor = proxyFor;
    this.#within = within;
  }

  override createConnection(...[options, done]: Parameters<https.Agent["createConnection"]>): undefined {
    this.#connect(options as Destination).then(
      (socket) => done!(null, socket),
      (error: Error) => done!(error, undefined as never),
    );
  }

  async #connect(options: Destination): Promise<Duplex> {
    const proxy = await this.#proxyFor(`https://${authorityOf(options)}`);
    if (!proxy) return super.createConnection(options)!;
    const tunnel = await openTunnel(new URL(proxy.address), options, this.#within);
    return secure(options, tunnel, this.#within);
  }
}
