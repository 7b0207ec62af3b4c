/** The agent behind a proxy: tunnels through it, names its refusals, and waits for no proxy without an end. */
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import https, { createServer } from "node:https";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createGotRequest } from "../../src/core/adapters/got-request.ts";
import type { HttpReply } from "../../src/core/base/ports.ts";
import { failureFacts } from "../../src/model/transport.ts";
import { TunnelAgent } from "../../src/open/tunnel-agent.ts";
import { makeAuthority, type Authority } from "../support/certificates.ts";
import { startForwardProxy, type ForwardProxy } from "../support/forward-proxy.ts";
import { PATIENCE } from "../support/patience.ts";

const HOST = "chat.parley.test";
let authority: Authority;
let proxy: ForwardProxy;
let provider: Server;
/** What the provider does with a request. */
let answer: (socket: Socket) => void;
const links = new Set<Socket>();
const ends: (() => void)[] = [];

async function listen(server: Server): Promise<number> {
  server.on("connection", (socket: Socket) => void links.add(socket.on("error", () => undefined)));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  authority = makeAuthority();
  provider = createServer(authority.issue([HOST]), ({ socket }) => answer(socket));
  const port = await listen(provider);
  proxy = await startForwardProxy(() => port);
});
afterEach(() => {
  proxy.password = proxy.rawResponse = undefined;
  proxy.tunnels.length = 0;
  for (const end of ends.splice(0)) end();
});
afterAll(async () => {
  await proxy.close();
  provider.close();
  for (const link of links) link.destroy();
  authority.remove();
});

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

/** Makes a request through this proxy. */
function ask(address: string, { timeout = PATIENCE, tunnel = PATIENCE } = {}): Promise<HttpReply> {
  const before = https.globalAgent;
  const agent = new TunnelAgent(async () => ({ address, from: "test" }), tunnel);
  agent.options.ca = authority.pem;
  https.globalAgent = agent;
  ends.push(() => {
    https.globalAgent = before;
    agent.destroy();
  });
  return createGotRequest()({
    method: "POST",
    body: "{}",
    url: `https://${HOST}/x`,
    headers: {},
    timeout,
    maxBytes: 100_000,
  });
}

/** A proxy that sends this, and then the same byte again and again; undefined stays silent. */
async function dribblingProxy(start: string | undefined, every: number, piece = "a"): Promise<string> {
  const server = createTcpServer((socket) => {
    if (start === undefined) return;
    socket.once("data", () => {
      socket.write(start);
      const dribble = setInterval(() => socket.write(piece), every);
      socket.once("close", () => clearInterval(dribble));
    });
  });
  const port = await listen(server);
  ends.push(() => server.close());
  return `http://127.0.0.1:${port}`;
}

describe("a tunnel", () => {
  test("carries the request, with the name and the password of the proxy's address", async () => {
    answer = (socket) => socket.write(OK);
    proxy.password = "ann:p w%";
    expect(await ask(proxy.as("ann", "p w%"))).toMatchObject({ status: 200, text: "{}" });
    expect(proxy.tunnels).toEqual([`${HOST}:443`]);
  });

  test("that stands has carried the request: without an answer it may have been sent", async () => {
    answer = () => undefined;
    await expect(ask(proxy.url, { timeout: 500 })).rejects.toMatchObject({
      kind: "timeout",
      neverSent: false,
    });
    answer = (socket) => socket.destroy();
    await expect(ask(proxy.url)).rejects.toMatchObject({ kind: "network", neverSent: false });
  });

  test.each([302, 403, 407, 502])(
    "that the proxy refuses with %i fails with its status, unsent",
    async (status) => {
      proxy.rawResponse = `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`;
      const failure = failureFacts(await ask(proxy.url).catch((error: unknown) => error));
      const byNode = Object.assign(new Error("tunnel"), { code: "ERR_PROXY_TUNNEL", statusCode: status });
      expect(failure).toMatchObject({ neverSent: true, obstacle: failureFacts(byNode).obstacle });
    },
  );

  test.each<[string, string | undefined]>([
    ["says nothing", undefined],
    ["sends its headers byte by byte", "HTTP/1.1 200 OK\r\nX-A: "],
    ["opens a tunnel and fills it with nonsense", "HTTP/1.1 200 OK\r\n\r\n"],
  ])("of a proxy that %s ends with its own time limit, unsent", async (_, start) => {
    const address = await dribblingProxy(start, 5, start?.endsWith("X-A: ") === false ? "\x16\x03" : "a");
    await expect(ask(address, { tunnel: 300 })).rejects.toMatchObject({ neverSent: true });
  });

  test("that is not there yet does not outlast the time limit of the request", async () => {
    const address = await dribblingProxy("HTTP/1.1 200 OK\r\nX-A: ", 5);
    await expect(ask(address, { timeout: 300 })).rejects.toMatchObject({ kind: "timeout", neverSent: true });
  });

  test("whose headers have no end is cut at the size of headers", async () => {
    const address = await dribblingProxy("HTTP/1.1 200 OK\r\nX-A: ", 1, "a".repeat(8000));
    await expect(ask(address)).rejects.toMatchObject({ kind: "network", neverSent: true });
  });
});
