/** The request and socket adapters on real sockets: broken links at every stage, limits, uploads, refusals (docs/reliability.md). */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createGotRequest } from "../../../src/core/adapters/got-request.ts";
import { createSystemRandom } from "../../../src/core/adapters/system-random.ts";
import { openUpload } from "../../../src/core/adapters/upload-body.ts";
import { createWsSocket } from "../../../src/core/adapters/ws-socket.ts";
import type { HttpReply, HttpRequest } from "../../../src/core/base/ports.ts";
import { ENCRYPTED_PORT, PLAIN_PORT } from "../../../src/model/obstacles.ts";
import { makeAuthority, type Authority } from "../../support/certificates.ts";
import { multipart } from "../../../src/core/uploads/multipart.ts";
import { startFakeProvider, until, type Answer, type FakeProvider } from "../../support/fake-provider.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await startFakeProvider();
});
afterEach(() => fake.close());

const request = createGotRequest();
const send = (change: Partial<HttpRequest> = {}): Promise<HttpReply> =>
  request({
    method: "GET",
    url: `${fake.url}/x?api_key=k3y`,
    headers: {},
    timeout: 2000,
    maxBytes: 100_000,
    ...change,
  });
const answers = (answer: Answer): void => {
  fake.on["GET /x"] = () => answer;
};

/** Listens on a free port of this machine; returns the port, and a function that ends it. */
async function listen(server: Server): Promise<{ port: number; end(): void }> {
  const links = new Set<Socket>();
  server.on("connection", (socket: Socket) => void links.add(socket.on("error", () => undefined)));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const end = (): void => {
    server.close();
    for (const link of links) link.destroy();
  };
  return { port: (server.address() as AddressInfo).port, end };
}

describe("an answer that comes in pieces", () => {
  const inPieces = (count: number, pause: number): void =>
    answers({
      raw: (response) => {
        let n = 0;
        const next = (): void => {
          if (n++ === count) return void response.end();
          response.write(" ".repeat(10));
          setTimeout(next, pause);
        };
        next();
      },
    });
  test("may take longer than the limit as a whole, which counts silence", async () => {
    inPieces(8, 100);
    expect((await send({ timeout: 400 })).text).toHaveLength(80);
  });
  test("is given up when it stands still for longer than the limit", async () => {
    inPieces(3, 900);
    await expect(send({ timeout: 300 })).rejects.toMatchObject({ kind: "timeout", neverSent: false });
  });
});

describe("a port of the wrong kind", () => {
  let authority: Authority;
  beforeAll(() => void (authority = makeAuthority()));
  afterAll(() => authority.remove());
  const at = (scheme: string, port: number): string => `${scheme}://127.0.0.1:${port}/x`;

  test("a port that never speaks TLS got nothing of the request", async () => {
    const { port, end } = await listen(createTcpServer());
    const failure = send({ url: at("https", port), method: "POST", body: "{}", timeout: 200 });
    await expect(failure).rejects.toMatchObject({ kind: "timeout", neverSent: true });
    end();
  });
  test("an https address of a plain port is named at once", async () => {
    await expect(send({ url: fake.url.replace("http:", "https:") })).rejects.toMatchObject({
      obstacle: PLAIN_PORT,
      neverSent: true,
    });
  });
  test.each<[string, (secure: TlsServer) => Server]>([
    ["that resets plain connections", (secure) => secure],
    [
      "that answers plain requests with 400 and a text",
      (secure) =>
        createTcpServer((socket) =>
          socket.once("readable", () => {
            const head = socket.read() as Buffer | null;
            if (head?.[0] !== 0x16)
              return socket.end("HTTP/1.1 400 Bad Request\r\n\r\nThis port speaks HTTPS.");
            socket.unshift(head);
            return secure.emit("connection", socket);
          }),
        ),
    ],
  ])("an http address of a TLS port %s is named at once, and once asked", async (_, serverOf) => {
    const server = serverOf(createTlsServer(authority.issue(["127.0.0.1"])));
    let connections = 0;
    server.on("connection", () => connections++);
    const { port, end } = await listen(server);
    const fresh = createGotRequest();
    const plain = {
      url: at("http", port),
      method: "POST",
      body: "{}",
      headers: {},
      timeout: 5000,
      maxBytes: 1e5,
    };
    for (const _ of [1, 2])
      await expect(fresh(plain)).rejects.toMatchObject({ obstacle: ENCRYPTED_PORT, neverSent: true });
    expect(connections).toBe(2 + 1);
    end();
  });
  test("a WebSocket of either kind names it too", async () => {
    const { port, end } = await listen(createTlsServer(authority.issue(["127.0.0.1"])));
    const obstacleAt = (url: string): Promise<unknown> =>
      new Promise((resolve) => {
        createWsSocket()(url, { message() {}, failed: ({ obstacle }) => resolve(obstacle), close: resolve });
      });
    expect(await obstacleAt(at("ws", port))).toEqual(ENCRYPTED_PORT);
    expect(await obstacleAt(fake.url.replace("http:", "wss:"))).toEqual(PLAIN_PORT);
    end();
  });
  test("a connection broken in its middle is not taken for a port of the wrong kind", async () => {
    const { port, end } = await listen(
      createTcpServer((socket) => void socket.once("data", () => socket.end())),
    );
    await expect(send({ url: at("http", port) })).rejects.toMatchObject({
      obstacle: undefined,
      neverSent: false,
    });
    end();
  });
});

describe("the request port", () => {
  test.each([200, 201, 302, 404, 429, 500, 503])(
    "status %i is an answer; redirects are not followed and nothing is repeated",
    async (status) => {
      answers({ status, body: { a: 1 }, headers: { "X-RateLimit-Limit": "5", location: "/y" } });
      const reply = await send();
      expect(reply).toMatchObject({ status, text: '{"a":1}', headers: { "x-ratelimit-limit": "5" } });
      expect(fake.seen.length).toBe(1);
    },
  );
  test.each(["GET", "DELETE"])("a %s request has no body", async (method) => {
    fake.on[`${method} /x`] = () => ({});
    await send({ method });
    expect(fake.seen[0]).toMatchObject({ method, body: "" });
  });
  test.each(["POST", "PUT", "PATCH"])("a %s request carries its body", async (method) => {
    fake.on[`${method} /x`] = () => ({});
    await send({
      method,
      body: '{"tea":1}',
      headers: { "content-type": "application/json", Authorization: "raw" },
    });
    expect(fake.seen[0]).toMatchObject({ method, body: '{"tea":1}', headers: { authorization: "raw" } });
  });
  test.each<[string, Answer["raw"], string]>([
    ["a reset before the answer", (_, socket) => socket.resetAndDestroy(), "network"],
    ["an end before the answer", (_, socket) => socket.end(), "network"],
    ["half a status line", (_, socket) => socket.end("HTTP/1.1 20"), "network"],
    ["something that is not HTTP", (_, socket) => socket.end("hello\r\n\r\n"), "network"],
    [
      "a reset in the headers",
      (_, socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Le", () => socket.resetAndDestroy()),
      "network",
    ],
    [
      "an end in the middle of a body of known length",
      (_, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":'),
      "network",
    ],
    [
      "a reset in the middle of a chunked body",
      (_, socket) =>
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n', () =>
          socket.resetAndDestroy(),
        ),
      "network",
    ],
  ])("%s is a network failure", async (_, raw, kind) => {
    answers({ raw: raw! });
    const error = (await send().catch((e: unknown) => e)) as Error;
    expect(error).toMatchObject({ name: "PortFailure", kind, neverSent: false });
    expect(error.message).not.toMatch(/k3y|127\.0\.0\.1|http/);
  });
  test("a refused connection is reported as never sent", async () => {
    const { url } = fake;
    await fake.close();
    await expect(send({ url: `${url}/x?api_key=k3y` })).rejects.toMatchObject({
      kind: "network",
      message: "the connection was refused",
      neverSent: true,
    });
  });
  test.each<[string, Answer["raw"]]>([
    ["before the answer", () => undefined],
    [
      "in the middle of the body",
      (_, socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":'),
    ],
  ])("a provider silent %s ends with a timeout", async (_, raw) => {
    answers({ raw: raw! });
    await expect(send({ timeout: 80 })).rejects.toMatchObject({ kind: "timeout" });
  });
  test.each(["websocket", "foo"])(
    "a switch to another protocol (%s) is an answer, and its socket is closed",
    async (protocol) => {
      let closed = false;
      answers({
        raw(_, socket) {
          socket.once("close", () => (closed = true));
          socket.write(
            `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\n\r\nxx`,
          );
        },
      });
      expect(await send()).toMatchObject({ status: 101, text: "" });
      await until("the socket is closed", () => closed);
    },
  );
  test.each<[string, string, Partial<HttpRequest>]>([
    ["headers", "HTTP/1.1 200 OK\r\nX-A: ", {}],
    ["a body", "HTTP/1.1 200 OK\r\n\r\n", {}],
    ["early hints", "HTTP/1.1 103 Early Hints\r\nX-A: a\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-A: ", {}],
    ["an error's body", "HTTP/1.1 500 No\r\n\r\n", { method: "DELETE" }],
  ])("%s that arrive byte by byte without an end are cut at the time limit", async (_, start, change) => {
    fake.on["DELETE /x"] = fake.on["GET /x"] = () => ({
      raw(_, socket) {
        socket.write(start);
        const dribble = setInterval(() => socket.write("a"), 5);
        socket.once("close", () => clearInterval(dribble));
      },
    });
    await expect(send({ timeout: 200, ...change })).rejects.toMatchObject({ kind: "timeout" });
  });
  test("an abort ends a running call, and an aborted signal starts none", async () => {
    answers({ raw: () => undefined });
    const abort = new AbortController();
    const running = send({ signal: abort.signal, timeout: 0 }).catch((e: unknown) => e);
    await until("it is under way", () => fake.seen.length === 1);
    abort.abort();
    expect(await running).toMatchObject({ kind: "abort" });
    await expect(send({ signal: abort.signal })).rejects.toMatchObject({ kind: "abort" });
    expect(fake.seen.length).toBe(1);
  });
  test("aborting after the answer while the body is still being sent raises no uncaught error", async () => {
    const server = createServer((_, answer) => void answer.writeHead(413).end("{}"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    const faults: unknown[] = [];
    const record = (error: unknown): void => void faults.push(error);
    process.on("uncaughtException", record);
    const abort = new AbortController();
    const bytes = new Uint8Array(400_000);
    const [aborted, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* open(): AsyncIterable<Uint8Array> {
      try {
        yield bytes;
        await aborted.promise;
        yield bytes;
      } finally {
        over.resolve();
      }
    }
    const body = { length: 2 * bytes.length, open };
    const reply = await send({ url, method: "POST", timeout: 0, body, signal: abort.signal });
    expect(reply.status).toBe(413);
    abort.abort();
    aborted.resolve();
    // The body goes on no further, and what it threw on its way was thrown in this turn.
    await over.promise;
    await new Promise(setImmediate);
    process.off("uncaughtException", record);
    server.close();
    expect(faults).toEqual([]);
  });

  test("an answer over the size limit is refused", async () => {
    answers({ body: "x".repeat(100_001) });
    await expect(send()).rejects.toMatchObject({ kind: "tooBig" });
    answers({ body: "x".repeat(100_000) });
    expect((await send()).text.length).toBe(100_000);
  });
});

/** The header of a JPEG of 20 × 10 pixels that its camera turned. */
const turnedJpeg = (orientation: number): Buffer =>
  Buffer.from(
    `ffd8ffe10022457869660000 4d4d002a00000008 0001 011200030000000100${orientation.toString(16).padStart(2, "0")}0000 00000000 ffc0001108000a0014 03012200021101031101 ffd9`.replaceAll(
      " ",
      "",
    ),
    "hex",
  );

test.each([
  [1, { width: 20, height: 10 }],
  [3, { width: 20, height: 10 }],
  [6, { width: 10, height: 20 }],
  [8, { width: 10, height: 20 }],
  [9, { width: 20, height: 10 }],
])("a picture with the EXIF orientation %i has the size in which it is shown", async (orientation, size) => {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-turned-"));
  await writeFile(path.join(folder, "a.jpg"), turnedJpeg(orientation));
  expect(await (await openUpload(path.join(folder, "a.jpg"))).dimensions?.()).toEqual(size);
  await rm(folder, { recursive: true });
});

describe("an upload", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "parley-upload-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("is sent with its length and reports increasing progress up to the end", async () => {
    const file = path.join(folder, "tea.bin");
    await writeFile(file, Buffer.alloc(2_000_000, 7));
    fake.on["POST /x"] = () => ({ status: 201, body: {} });
    const source = await openUpload(file);
    expect(source).toMatchObject({ name: "tea.bin", size: 2_000_000, mimeType: "application/octet-stream" });
    const body = multipart(source, "B");
    const progress: number[] = [];
    await send({
      method: "POST",
      headers: { "content-type": body.contentType },
      body: { length: body.length, open: body.open },
      timeout: 0,
      onProgress: (sent) => progress.push(sent),
    });
    const [received] = fake.seen;
    expect(received!.headers["content-length"]).toBe(String(body.length));
    expect(received!.headers["transfer-encoding"]).toBeUndefined();
    expect(received!.body.length).toBe(body.length);
    expect(progress.length).toBeGreaterThan(2);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(body.length);
  });
  test("of an empty file has no bytes; a missing file and a folder are refused", async () => {
    const file = path.join(folder, "empty.txt");
    await writeFile(file, "");
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await openUpload(file)).open()) chunks.push(chunk);
    expect(chunks).toEqual([]);
    await expect(openUpload(path.join(folder, "no.txt"))).rejects.toThrow(/^There is no file .*no\.txt$/);
    await expect(openUpload(folder)).rejects.toThrow("is a folder");
  });
  test("of a file that shrinks while it is read fails instead of sending other bytes", async () => {
    const file = path.join(folder, "tea.bin");
    await writeFile(file, Buffer.alloc(1000));
    const source = await openUpload(file);
    await writeFile(file, Buffer.alloc(10));
    const body = multipart(source, "B");
    fake.on["POST /x"] = () => ({ body: {} });
    await expect(
      send({ method: "POST", body: { length: body.length, open: body.open }, timeout: 2000 }),
    ).rejects.toMatchObject({ name: "PortFailure" });
  });
});

describe("the socket port", () => {
  const openSocket = createWsSocket();
  interface SocketLog {
    frames: string[];
    closes: number[];
    refused: [number, string][];
  }
  const open = (): SocketLog & { socket: ReturnType<typeof openSocket> } => {
    const log: SocketLog = { frames: [], closes: [], refused: [] };
    const socket = openSocket(
      `${fake.url.replace("http", "ws")}/connect?json=${encodeURIComponent('{"user_id":"mira"}')}`,
      {
        message: (text) => log.frames.push(text),
        close: (code) => log.closes.push(code),
        refused: (status, body) => log.refused.push([status, body]),
      },
    );
    return { ...log, socket };
  };

  test("the first frame sent during the upgrade is not lost", async () => {
    const connection = open();
    await until("hello", () => connection.frames.length === 1);
    expect(JSON.parse(connection.frames[0]!)).toMatchObject({ type: "health.check" });
    connection.socket.terminate();
    await until("close", () => connection.closes.length === 1);
  });
  test.each([1000, 1001, 1008, 1011, 1013])("a close with %i is reported once", async (code) => {
    fake.hello = (ws) => ws.close(code);
    const connection = open();
    await until("close", () => connection.closes.length > 0);
    expect(connection.closes).toEqual([code]);
  });
  test.each<[string, NonNullable<FakeProvider["upgrade"]>]>([
    ["a reset during the upgrade", (socket) => socket.resetAndDestroy()],
    ["an end during the upgrade", (socket) => socket.end()],
    ["half an upgrade answer", (socket) => socket.end("HTTP/1.1 101 Switch")],
    ["nonsense", (socket) => socket.end("what?\r\n\r\n")],
  ])("%s is one close with 1006", async (_, upgrade) => {
    fake.upgrade = upgrade;
    const connection = open();
    await until("close", () => connection.closes.length > 0);
    expect(connection.closes).toEqual([1006]);
    expect(connection.frames).toEqual([]);
  });
  test("a reset of an open connection is one close with 1006", async () => {
    const connection = open();
    await until("hello", () => connection.frames.length === 1);
    (fake.sockets[0] as unknown as { _socket: { resetAndDestroy(): void } })._socket.resetAndDestroy();
    await until("close", () => connection.closes.length > 0);
    expect(connection.closes).toEqual([1006]);
  });
  test("a refused upgrade reports status and body, then closes", async () => {
    fake.upgrade = (socket) =>
      socket.end(
        'HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"code":40}',
      );
    const connection = open();
    await until("close", () => connection.closes.length > 0);
    expect(connection.refused).toEqual([[401, '{"code":40}']]);
    expect(connection.closes).toEqual([1006]);
  });
  test("a refused upgrade whose body never ends is still closed", async () => {
    fake.upgrade = (socket) => void socket.write("HTTP/1.1 503 No\r\nContent-Length: 99\r\n\r\nhalf");
    const connection = open();
    await until("close", () => connection.closes.length > 0);
    expect(connection.refused.map(([status]) => status)).toEqual([503]);
  });
  test("a frame over 2 MiB closes the connection, one of 2 MiB arrives (specification/security.md §1)", async () => {
    fake.hello = (ws) => ws.send("x".repeat(2 * 1024 * 1024));
    const connection = open();
    await until("it arrives", () => connection.frames.length === 1);
    fake.sockets[0]!.send("x".repeat(2 * 1024 * 1024 + 1));
    await until("close", () => connection.closes.length > 0);
    expect(connection.frames.length).toBe(1);
  });
  test("a refused connection is one close with 1006", async () => {
    await fake.close();
    const connection = open();
    await until("close", () => connection.closes.length > 0);
    expect(connection.closes).toEqual([1006]);
  });
});

test("random floats are below one and uuids are of version 4", () => {
  const random = createSystemRandom();
  for (let n = 0; n < 1000; n++) {
    const r = random.float();
    expect(r >= 0 && r < 1).toBe(true);
  }
  expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/);
});
