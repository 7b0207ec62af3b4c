/** Attacks by a local program or a web page: slow bodies, many sockets, cross-site requests without an Origin. */
import { once } from "node:events";
import net from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { IDLE_LIMIT } from "../../../src/provider/lifecycle/idle.ts";
import { BODY_TIME, CONNECTIONS_IN_ALL, SOCKETS_IN_ALL } from "../../../src/wire/constants.ts";
import { Harness, Socket, httpRequest } from "../tiny.ts";
import { PATIENCE } from "../../support/patience.ts";

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});
afterEach(async () => {
  vi.useRealTimers();
  await h.stop();
});

const port = (): number => Number(new URL(h.provider.url).port);

interface Raw {
  socket: net.Socket;
  text(): string;
  closed: Promise<unknown>;
}

/** Starts a request written by hand: its head and as much of its body as given. */
function startRequest(requestLine: string, headers: Record<string, string>, body = ""): Raw {
  const socket = net.connect(port(), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", () => {});
  const head = Object.entries({ Host: `127.0.0.1:${port()}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`${requestLine} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
  return { socket, text: () => text, closed: once(socket, "close") };
}

const route = (path: string): string => h.url(path).slice(h.provider.url.length);
const JSON_HEAD = { "Content-Type": "application/json", "Content-Length": "1000" };

test.each([
  "POST /channels",
  "PUT /polls",
  "PATCH /app",
  "POST /uploads/file",
  "POST /_local/stop",
  "POST /_local/status",
])("%s: an invalid token is refused before the body is read", async (requestLine) => {
  const [method, path] = requestLine.split(" ") as [string, string];
  const request = startRequest(`${method} ${route(path)}`, { ...JSON_HEAD, Authorization: "no.such.token" });
  await vi.waitFor(() => expect(request.text()).toMatch(/^HTTP\/1\.1 401 /), PATIENCE);
  request.socket.destroy();
});

describe("a body that does not arrive", () => {
  test.each(["", '{"half":'])(
    "with %j only is refused after 30 s, and the connection is closed",
    async (body) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const request = startRequest(
        `POST ${route("/users")}`,
        { ...JSON_HEAD, Authorization: h.serverToken },
        body,
      );
      await vi.waitUntil(() => vi.getTimerCount() > 0 && request.socket.bytesWritten > 0);
      await new Promise((done) => setImmediate(done));
      vi.advanceTimersByTime(BODY_TIME - 1000);
      await new Promise((done) => setImmediate(done));
      expect(request.text()).toBe("");
      vi.advanceTimersByTime(2000);
      await request.closed;
      expect(request.text()).toMatch(/^HTTP\/1\.1 408 /);
      expect(request.text()).toContain('"code":23');
    },
  );
  test("for a refused request is not awaited longer than that", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const request = startRequest(`POST ${route("/users")}`, { ...JSON_HEAD, Authorization: "no.such.token" });
    while (!request.text().includes("}")) await new Promise((done) => setImmediate(done));
    vi.advanceTimersByTime(BODY_TIME + 1000);
    await request.closed;
  });
});

describe("sockets", () => {
  test(`there are at most ${SOCKETS_IN_ALL} in all, and one that ends makes room`, async () => {
    const open: net.Socket[] = [];
    const closed = new Set<net.Socket>();
    for (let n = 0; n < SOCKETS_IN_ALL + 20; n++) {
      const socket = net.connect(port(), "127.0.0.1");
      socket.on("error", () => {});
      socket.on("close", () => closed.add(socket));
      open.push(socket);
    }
    await vi.waitFor(() => expect(closed.size).toBe(20), PATIENCE);
    await expect(httpRequest(h.url("/hi"))).rejects.toThrow();
    for (const socket of open) socket.destroy();
    await vi.waitFor(async () => expect((await httpRequest(h.url("/hi"))).status).toBe(200), PATIENCE);
  });
  test(`at most ${CONNECTIONS_IN_ALL} of them are live connections: calls still get in`, async () => {
    const lines: Socket[] = [];
    const dial = (n: number): Socket => {
      const user = `u${Math.floor(n / 50)}`;
      const requestLine = new Socket(
        h.socketUrl({
          json: JSON.stringify({ user_id: user }),
          authorization: h.token(user),
          "stream-auth-type": "jwt",
        }),
      );
      lines.push(requestLine);
      return requestLine;
    };
    for (let n = 0; n < CONNECTIONS_IN_ALL; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, k) => dial(n + k).event("health.check")));
    const late = dial(CONNECTIONS_IN_ALL);
    const { code } = await late.until((self) => self.closed);
    expect([code, late.frames[0].error.code]).toEqual([1013, 9]);
    expect((await h.call("ann", "GET", "/app")).status).toBe(200);
    for (const requestLine of lines) requestLine.ws.terminate();
  });
});

describe("routes without a token", () => {
  const open = ["/hi", "/files/gifs/waves.gif"];

  test.each(open)("%s is refused for a cross-site page without an Origin", async (path) => {
    for (const site of ["cross-site", "same-site"])
      expect(
        (await httpRequest(`${h.provider.url}${path}`, { headers: { "Sec-Fetch-Site": site } })).status,
      ).toBe(403);
    const own = await httpRequest(`${h.provider.url}${path}`, { headers: { "Sec-Fetch-Site": "none" } });
    expect([own.status, own.headers["cross-origin-resource-policy"]]).toEqual([200, "same-origin"]);
  });
  test("are served to an allowed page", async () => {
    const allowed = await Harness.start({ allowOrigins: ["https://board.example"] });
    const from = (referer: string): Promise<number> =>
      httpRequest(`${allowed.provider.url}/hi`, {
        headers: { "Sec-Fetch-Site": "cross-site", Referer: referer },
      }).then(({ status }) => status);
    expect(await from("https://board.example/x")).toBe(200);
    expect(await from("https://evil.example/https://board.example")).toBe(403);
    await allowed.stop();
  });
  test.each(open)("%s does not keep an idle provider running", async (path) => {
    let closed = false;
    void h.provider.closed.then(() => (closed = true));
    h.provider.clock.advance(IDLE_LIMIT - 1000);
    await httpRequest(`${h.provider.url}${path}`);
    h.provider.clock.advance(2000);
    await vi.waitFor(() => expect(closed).toBe(true), PATIENCE);
  });
  test("while a call with a token does", async () => {
    let closed = false;
    void h.provider.closed.then(() => (closed = true));
    h.provider.clock.advance(IDLE_LIMIT - 1000);
    await h.call("ann", "GET", "/app");
    h.provider.clock.advance(2000);
    // A provider that was about to close would answer no later call.
    expect((await h.call("ann", "GET", "/app")).status).toBe(200);
    expect(closed).toBe(false);
  });
});
