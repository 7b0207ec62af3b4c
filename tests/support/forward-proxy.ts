/** A forward proxy as in companies: tunnels with CONNECT, may require a password, refuse, answer with a page, or cut long connections. */
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface ForwardProxy {
  /** http://127.0.0.1:port, without a password. */
  url: string;
  /** The URL with a user name and a password. */
  as(user: string, password: string): string;
  /** `host:port` of every requested tunnel. */
  tunnels: string[];
  /** Requests made without a tunnel. */
  plainRequests: string[];
  /** `name:password`; when set, tunnels require it. */
  password: string | undefined;
  /** Raw response sent instead of opening a tunnel. */
  rawResponse: string | undefined;
  /** The raw response is followed by one byte after the other, without an end. */
  dribbles: boolean;
  /** Tunnels are closed after this many milliseconds. */
  cutAfter: number | undefined;
  close(): Promise<void>;
}

/** Every host name leads to this local port: names in tests are never looked up. */
export async function startForwardProxy(target: () => number): Promise<ForwardProxy> {
  const links = new Set<Duplex>();
  const track = (link: Duplex): void => {
    links.add(link);
    link.on("error", () => link.destroy());
    link.once("close", () => links.delete(link));
  };
  const server = createServer((request, response) => {
    proxy.plainRequests.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on("connection", track);
  server.on("connect", (request, client: Socket) => {
    proxy.tunnels.push(request.url ?? "");
    const wanted = proxy.password && `Basic ${Buffer.from(proxy.password).toString("base64")}`;
    if (proxy.dribbles) {
      client.write(proxy.rawResponse ?? "");
      const dribble = setInterval(() => client.write("a"), 50);
      return void client.once("close", () => clearInterval(dribble));
    }
    if (proxy.rawResponse !== undefined) return void client.end(proxy.rawResponse);
    if (wanted !== undefined && request.headers["proxy-authorization"] !== wanted)
      return void client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="office"\r\nContent-Length: 0\r\n\r\n',
      );
    const inner = connect(target(), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(inner).pipe(client);
    });
    track(inner);
    client.on("close", () => inner.destroy());
    inner.on("close", () => client.destroy());
    if (proxy.cutAfter !== undefined) setTimeout(() => client.destroy(), proxy.cutAfter).unref();
  });
  const proxy: ForwardProxy = {
    url: "",
    as: (user, password) =>
      proxy.url.replace("//", `//${encodeURIComponent(user)}:${encodeURIComponent(password)}@`),
    tunnels: [],
    plainRequests: [],
    password: undefined,
    rawResponse: undefined,
    dribbles: false,
    cutAfter: undefined,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const link of links) link.destroy();
      }),
  };
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
