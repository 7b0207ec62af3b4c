/** Connection failures: every HTTP client of the program reports the same facts for the same fault. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net, { type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createGotRequest } from "../../src/core/adapters/got-request.ts";
import { download, putFile } from "../../src/jobs/transfer.ts";
import { failureFacts, transportError, type TransportError } from "../../src/model/transport.ts";
import { requestJson } from "../../src/provider/lifecycle/request-json.ts";
import { patient } from "../support/patience.ts";

let folder: string;
let answer: (socket: Socket) => void;
const open = new Set<Socket>();
const server = net.createServer((socket) => {
  open.add(socket);
  socket.on("error", () => undefined);
  socket.once("data", () => answer(socket));
});
let url: string;
let closedPort: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-transport-"));
  writeFileSync(path.join(folder, "import.json"), "[]");
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?api_key=k3y`;
  const other = net.createServer();
  await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
  closedPort = `http://127.0.0.1:${(other.address() as AddressInfo).port}/x?api_key=k3y`;
  await new Promise((closed) => other.close(closed));
});
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The four ways the program makes requests, each with a timeout. */
const clients: Record<string, (to: string) => Promise<unknown>> = {
  "a call of core": (to) =>
    createGotRequest()({
      method: "POST",
      url: to,
      headers: {},
      body: "{}",
      timeout: patient(500),
      maxBytes: 1000,
    }).catch((error: unknown) => {
      throw transportError("SendMessage", error);
    }),
  "a question to the embedded provider": (to) =>
    requestJson(to, { op: "local enter", method: "POST", body: {}, timeout: patient(500) }),
  "an upload of a job": (to) => putFile(path.join(folder, "import.json"), to, new AbortController().signal),
  "a download of a job": (to) =>
    download(to, path.join(folder, "x"), { signal: new AbortController().signal }),
};

const failureOf = async (asked: Promise<unknown>): Promise<TransportError> =>
  asked.then(
    () => expect.fail("it was answered"),
    (error: unknown) => error as TransportError,
  );

describe.each(Object.entries(clients))("%s", (name, way) => {
  test("a refused connection was never sent and may be retried", async () => {
    const failure = await failureOf(way(closedPort));
    expect(failure).toMatchObject({
      name: "TransportError",
      code: "ERR_NETWORK",
      kind: "network",
      system: "ECONNREFUSED",
      neverSent: true,
      retryable: true,
    });
    expect(failure.message).toMatch(/got no answer: the connection was refused$/);
  });
  test.each<[string, (socket: Socket) => void]>([
    ["a reset", (socket) => socket.resetAndDestroy()],
    ["an end", (socket) => socket.end()],
    ["garbage", (socket) => socket.end("hello\r\n\r\n")],
    ["half an answer", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")],
  ])("%s after the request means that it may have arrived", async (_, then) => {
    answer = then;
    const failure = await failureOf(way(url));
    expect(failure).toMatchObject({
      name: "TransportError",
      code: "ERR_NETWORK",
      neverSent: false,
      retryable: true,
    });
    expect(failure.message).not.toMatch(/k3y|127\.0\.0\.1/);
  });
  test.skipIf(/job/.test(name))(
    "a request without an answer ends with its time limit and may have arrived",
    async () => {
      answer = () => undefined;
      expect(await failureOf(way(url))).toMatchObject({
        code: "ETIMEDOUT",
        kind: "timeout",
        neverSent: false,
      });
    },
  );
});

describe("the facts of an error", () => {
  const system = (code: string, syscall?: string): Error =>
    Object.assign(new Error(`${syscall} ${code} 10.0.0.1`), { code, syscall });
  test.each([
    ["a connection that could not be made in time", system("ETIMEDOUT", "connect"), "timeout", true],
    ["a connection that became silent", system("ETIMEDOUT", "read"), "timeout", false],
    ["an unknown host name", system("ENOTFOUND", "getaddrinfo"), "network", true],
    ["an unknown error while connecting", system("EMFILE", "connect"), "network", true],
    ["an unknown error later", system("EFOO", "write"), "network", false],
    [
      "an error wrapped by a library",
      new TypeError("fetch failed", { cause: system("ECONNREFUSED", "connect") }),
      "network",
      true,
    ],
    ["a time limit that aborted the request", new DOMException("x", "TimeoutError"), "timeout", false],
    ["an aborted request", new DOMException("x", "AbortError"), "abort", false],
    ["a value that is not an error", "what", "network", false],
  ])("%s", (_, error, kind, neverSent) => {
    const facts = failureFacts(error);
    expect(facts).toMatchObject({ kind, neverSent });
    expect(facts.reason).not.toContain("10.0.0.1");
  });
  test("the caller may state that no connection existed", () => {
    expect(failureFacts(system("ECONNRESET", "read"), false).neverSent).toBe(true);
    expect(failureFacts(system("ECONNRESET", "read"), true).neverSent).toBe(false);
  });
  test("a wrong kind of port is no reason once a connection existed, and a wrong certificate is one in any case", () => {
    const kinds = [undefined, false, true].map((connected) =>
      ["ERR_SSL_WRONG_VERSION_NUMBER", "CERT_HAS_EXPIRED"].map(
        (code) => failureFacts(system(code), connected).obstacle?.kind,
      ),
    );
    expect(kinds).toEqual([
      ["port", "certificate"],
      ["port", "certificate"],
      [undefined, "certificate"],
    ]);
  });
});
