/** Files that an archive fetches: of an allowed size, each stored once, and nothing left of those that cannot be had. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { downloadOne } from "../../src/jobs/archive/files.ts";

/** How the server answers each path; `chunked` says no length before. */
const ANSWERS: Readonly<
  Record<string, { status?: number; body?: string; type?: string; chunked?: true; to?: string }>
> = {
  "/ten": { body: "0123456789" },
  "/ten-chunked": { body: "0123456789", chunked: true },
  "/eleven": { body: "0123456789a" },
  "/eleven-chunked": { body: "0123456789a", chunked: true },
  "/none": { body: "" },
  "/typed": { body: "x", type: "image/png; charset=binary" },
  "/gone": { status: 404, body: "gone" },
  "/away": { status: 302, to: "/ten" },
  "/round": { status: 302, to: "/round" },
  "/mail": { status: 302, to: "mailto:ana@example.org" },
};

let folder: string;
let server: Server;
let host: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-archive-files-"));
  server = createServer(({ url }, response) => {
    const { status = 200, body = "", type, chunked, to } = ANSWERS[url!]!;
    response.writeHead(status, {
      ...(type && { "Content-Type": type }),
      ...(to && { Location: to }),
      ...(!chunked && { "Content-Length": body.length }),
    });
    if (chunked) response.write(body);
    response.end(chunked ? undefined : body);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const fetchOne = (name: string, providerHost = host) =>
  downloadOne(`http://${host}${name}`, folder, {
    providerHost,
    maxBytes: 10,
    signal: new AbortController().signal,
  });
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

test.each(["/ten", "/ten-chunked", "/none", "/away"])(
  "a file of at most the allowed size is stored under its hash: %s",
  async (name) => {
    const text = name === "/none" ? "" : "0123456789";
    expect(await fetchOne(name)).toEqual({ hash: hashOf(text), bytes: text.length, mime: "" });
    expect(readdirSync(folder)).toEqual([hashOf(text)]);
    expect(readFileSync(path.join(folder, hashOf(text)), "utf8")).toBe(text);
  },
);

test("equal files are stored once, and the type is told without its parameters", async () => {
  expect((await fetchOne("/ten")).hash).toBe((await fetchOne("/ten-chunked")).hash);
  expect(await fetchOne("/typed")).toMatchObject({ bytes: 1, mime: "image/png" });
  expect(readdirSync(folder)).toHaveLength(2);
});

test.each([
  ["/eleven", "it is bigger than 10 bytes"],
  ["/eleven-chunked", "it is bigger than 10 bytes"],
  ["/gone", "the address answered 404"],
  ["/round", "too many redirects"],
  ["/mail", "the address is not http or https"],
])("of a file that cannot be had nothing is left: %s, as %s", async (name, reason) => {
  await expect(fetchOne(name)).rejects.toThrow(reason);
  expect(readdirSync(folder)).toEqual([]);
});

test("an address of the own network is asked only if it is the provider's", async () => {
  await expect(fetchOne("/ten", "chat.example.org")).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});
