/** Files transferred to and from signed addresses: complete under their own name, or absent (D12). */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { download, putFile, TransferFailed } from "../../src/jobs/transfer.ts";

let answer: http.RequestListener;
let url: string;
let folder: string;
const server = http.createServer((request, response) => answer(request, response));
const never = new AbortController().signal;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/exports/one`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-transfer-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a complete download is stored privately under the file's name, and its size is returned", async () => {
  answer = (_, response) => response.writeHead(200, { "content-length": "11" }).end("hello there");
  const steps: number[][] = [];
  const bytes = await download(url, path.join(folder, "export.json"), {
    signal: never,
    progress: (done, total) => steps.push([done, total]),
  });
  expect(bytes).toBe(11);
  expect(steps.at(-1)).toEqual([11, 11]);
  expect(readdirSync(folder)).toEqual(["export.json"]);
  expect(readFileSync(path.join(folder, "export.json"), "utf8")).toBe("hello there");
});

test("an interrupted download leaves the existing file unchanged and no other file", async () => {
  const file = path.join(folder, "export.json");
  writeFileSync(file, "yesterday");
  answer = (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("only half of", () => response.destroy());
  };
  await expect(download(url, file, { signal: never })).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["export.json"]);
  expect(readFileSync(file, "utf8")).toBe("yesterday");
});

test("a cancelled download leaves no file", async () => {
  const stop = new AbortController();
  answer = (_, response) => void response.writeHead(200, { "content-length": "100" }).write("a beginning");
  const running = download(url, path.join(folder, "export.json"), {
    signal: stop.signal,
    progress: () => stop.abort(),
  });
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  [
    "the provider's own words",
    JSON.stringify({ message: "The address has expired" }),
    "The address has expired",
  ],
  ["the status where there are none", "<html>", "HTTP 403"],
])("a refused transfer is reported in %s, for downloads and uploads", async (_, body, reason) => {
  answer = (request, response) => request.resume().on("end", () => response.writeHead(403).end(body));
  const file = path.join(folder, "import.json");
  writeFileSync(file, "[]");
  const refused = new TransferFailed(403, reason);
  await expect(download(url, path.join(folder, "export.json"), { signal: never })).rejects.toEqual(refused);
  await expect(putFile(file, url, never)).rejects.toEqual(refused);
  expect(readdirSync(folder)).toEqual(["import.json"]);
});

test("an upload sends the whole file with its length, and follows no redirect", async () => {
  const file = path.join(folder, "import.json");
  writeFileSync(file, "[1,2,3]");
  let seen: unknown;
  answer = (request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      seen = [request.method, request.headers["content-length"], text];
      response.writeHead(200).end();
    });
  };
  await putFile(file, url, never);
  expect(seen).toEqual(["PUT", "7", "[1,2,3]"]);
  answer = (request, response) =>
    request.resume().on("end", () => response.writeHead(307, { location: "/elsewhere" }).end());
  await expect(putFile(file, url, never)).rejects.toThrow();
});
