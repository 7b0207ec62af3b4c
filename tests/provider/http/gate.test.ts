/** Web pages cannot read the loopback provider: foreign Host and Origin headers get no data from any kind of route. */
import net from "node:net";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Harness, httpRequest, Socket } from "../tiny.ts";

const PAGE = "https://board.example";
let strict: Harness;
let open: Harness;
beforeAll(async () => {
  strict = await Harness.start();
  open = await Harness.start({ allowOrigins: [PAGE] });
  for (const h of [strict, open]) {
    await h.send("ann", "m1", "private words");
    h.join("team:tea", "ann");
  }
});
afterAll(async () => {
  await strict.stop();
  await open.stop();
});

const port = (h: Harness): string => new URL(h.provider.url).port;
const hosts = (h: Harness): string[] => [
  "evil.example",
  `evil.example:${port(h)}`,
  "127.0.0.1",
  "localhost",
  "127.0.0.1:1",
  `127.0.0.2:${port(h)}`,
  `0.0.0.0:${port(h)}`,
  `127.0.0.1.nip.example:${port(h)}`,
  `localhost.evil.example:${port(h)}`,
  `127.1:${port(h)}`,
  `2130706433:${port(h)}`,
  `[::]:${port(h)}`,
  `127.0.0.1:${port(h)}.evil.example`,
  `evil@127.0.0.1:${port(h)}`,
  " ",
];
const origins = (h: Harness): string[] => [
  "https://evil.example",
  "http://evil.example",
  "null",
  "*",
  "file://",
  h.provider.url,
  `http://localhost:${port(h)}`,
  `${PAGE}.evil.example`,
  "http://board.example",
  "https://board.example:8443",
  "chrome-extension://abcdefgh",
];
const routes = ["/hi", "/app", "/messages/m1", "/longpoll", "/channels", "/nowhere", "/_local/status"];

describe("exact Host list", () => {
  test.each(routes)("%s is refused for every foreign host", async (route) => {
    for (const host of hosts(strict)) {
      const answer = await httpRequest(strict.url(route), {
        headers: { Host: host, Authorization: strict.token("ann") },
      }).catch(() => undefined);
      if (!answer) continue;
      expect([host, answer.status]).toEqual([host, host === " " ? answer.status : 403]);
      expect(answer.text).not.toContain("private words");
      if (answer.json) expect(answer.json.code).toBe(host === " " ? answer.json.code : 17);
    }
  });
  test("a request without a Host is refused", async () => {
    const socket = net.connect(Number(port(strict)), "127.0.0.1");
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.write("GET /app HTTP/1.0\r\n\r\n");
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(text).not.toContain("image_upload_config");
  });
  test("the loopback names are served", async () => {
    for (const host of [
      `127.0.0.1:${port(strict)}`,
      `localhost:${port(strict)}`,
      `LOCALHOST:${port(strict)}`,
      `[::1]:${port(strict)}`,
    ])
      expect((await httpRequest(`${strict.provider.url}/hi`, { headers: { Host: host } })).status).toBe(200);
  });
});

describe("Origin", () => {
  test.each(routes)("%s is refused for every origin when none is allowed", async (route) => {
    for (const origin of [...origins(strict), PAGE]) {
      const answer = await httpRequest(strict.url(route), {
        headers: { Origin: origin, Authorization: strict.token("ann") },
      });
      expect([origin, answer.status, answer.json.code]).toEqual([origin, 403, 17]);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      expect(answer.text).not.toContain("private words");
    }
  });
  test("OPTIONS gets no CORS headers either", async () => {
    for (const headers of [{ Origin: PAGE }, {}]) {
      const answer = await httpRequest(strict.url("/app"), { method: "OPTIONS", headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });
  test("an allowed page gets 204 to OPTIONS with methods, requested headers and exposed headers", async () => {
    const answer = await httpRequest(open.url("/app"), {
      method: "OPTIONS",
      headers: { Origin: PAGE, "Access-Control-Request-Headers": "authorization, stream-auth-type" },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers["access-control-allow-origin"]).toBe(PAGE);
    expect(answer.headers["access-control-allow-headers"]).toBe("authorization, stream-auth-type");
    expect(answer.headers["access-control-allow-methods"]).toContain("DELETE");
    expect(answer.headers["access-control-expose-headers"]).toContain("X-RateLimit-Limit");
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
  });
  test("an allowed page reads answers and errors, any other page nothing", async () => {
    const allowed = await httpRequest(open.url("/messages/m1"), {
      headers: { Origin: PAGE, Authorization: open.token("ann") },
    });
    expect([allowed.status, allowed.headers["access-control-allow-origin"]]).toEqual([200, PAGE]);
    const unauthorized = await httpRequest(open.url("/messages/m1"), { headers: { Origin: PAGE } });
    expect([unauthorized.status, unauthorized.headers["access-control-allow-origin"]]).toEqual([401, PAGE]);
    for (const origin of origins(open)) {
      const answer = await httpRequest(open.url("/messages/m1"), {
        headers: { Origin: origin, Authorization: open.token("ann") },
      });
      expect([origin, answer.status]).toEqual([origin, 403]);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });
});

describe("the WebSocket upgrade is checked alike", () => {
  const attempt = async (h: Harness, headers: Record<string, string>): Promise<Socket> => {
    const socket = new Socket(
      h.socketUrl({
        json: JSON.stringify({ user_id: "ann" }),
        authorization: h.token("ann"),
        "stream-auth-type": "jwt",
      }),
      { headers },
    );
    await socket.until((self) => self.closed ?? self.frames.length > 0);
    return socket;
  };
  test("foreign hosts and origins get no upgrade and no frame", async () => {
    const cases = [
      ...hosts(strict)
        .filter((host) => host.trim())
        .map((Host) => ({ Host })),
      ...[...origins(strict), PAGE].map((Origin) => ({ Origin })),
    ];
    for (const headers of cases) {
      const socket = await attempt(strict, headers as Record<string, string>);
      expect([headers, socket.frames, socket.closed?.code]).toEqual([headers, [], 1006]);
    }
  });
  test("an allowed page can connect", async () => {
    const socket = await attempt(open, { Origin: PAGE });
    expect(socket.frames[0].type).toBe("health.check");
    await socket.end();
  });
  test("a path other than /connect is 404 without an upgrade", async () => {
    const socket = new Socket(strict.socketUrl({}).replace("/connect", "/other"));
    let status = 0;
    socket.ws.on("unexpected-response", (_request, response) => {
      status = response.statusCode!;
      response.resume();
      socket.ws.terminate();
    });
    await socket.until((self) => self.closed);
    expect(status).toBe(404);
  });
  test.each([
    ["no key", "Sec-WebSocket-Version: 13\r\n"],
    ["an invalid key", "Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n"],
    ["an unknown version", "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 99\r\n"],
  ])("a handshake with %s is refused with the wire's error body", async (_what, lines) => {
    const { host, port } = new URL(strict.socketUrl({}));
    const socket = net.connect(Number(port), "127.0.0.1");
    socket.end(
      `GET /connect HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines}\r\n`,
    );
    const [head, body] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toContain("Content-Type: application/json");
    expect(JSON.parse(body!)).toMatchObject({ code: 4, StatusCode: 400 });
  });
});
