/** Files transferred to and from signed addresses: complete under their own name, or absent (D12). */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { fetchPatiently } from "../../src/jobs/patient-fetch.ts";
import { download, downloadTo, putFile, TransferFailed } from "../../src/jobs/transfer.ts";

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

const silent: http.RequestListener = () => {};
const halfSilent: http.RequestListener = (_, response) =>
  void response.writeHead(200, { "content-length": "100" }).write("a beginning");

test.each([
  ["before its answer", silent],
  ["in the middle of the body", halfSilent],
])("a transfer that stands still %s ends, however long the whole may take", async (_, listener) => {
  answer = listener;
  const run = async (): Promise<void> => {
    const { pieces } = await fetchPatiently("Download", url, { signal: never, stall: 100 });
    for await (const piece of pieces()) expect(Buffer.from(piece).toString()).toBe("a beginning");
  };
  await expect(run()).rejects.toMatchObject({ code: "ETIMEDOUT", message: "Download stood still for 0.1 s" });
});

test("a file that is sent stands still when nobody reads it", async () => {
  answer = silent;
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(256 * 1024);
  };
  const sent = fetchPatiently("Upload", url, {
    method: "PUT",
    body: endless(),
    headers: { "content-length": String(2 ** 40) },
    signal: never,
    stall: 200,
  });
  await expect(sent).rejects.toMatchObject({ code: "ETIMEDOUT" });
});

test("a slow transfer and a slow reader are no standstill", async () => {
  answer = (_, response) => {
    response.writeHead(200);
    let n = 0;
    const drip = setInterval(
      () => (n++ < 10 ? response.write("x") : (clearInterval(drip), response.end())),
      50,
    );
  };
  const { pieces } = await fetchPatiently("Download", url, { signal: never, stall: 1500 });
  let text = "";
  for await (const piece of pieces()) {
    if (text === "") await new Promise((resolve) => setTimeout(resolve, 1800));
    text += Buffer.from(piece).toString();
  }
  expect(text).toBe("x".repeat(10));
});

test("the endless page of an error is read only as far as its reason needs", async () => {
  answer = (_, response) => {
    response.writeHead(500);
    const more = (): void => void (response.destroyed || response.write("x".repeat(65_536), more));
    more();
  };
  await expect(download(url, path.join(folder, "x"), { signal: never })).rejects.toMatchObject({
    status: 500,
  });
});

test("a redirect is followed only where the caller allows it, and at most three times", async () => {
  answer = (request, response) => {
    const n = Number(/\d+$/.exec(request.url ?? "")?.[0] ?? 0);
    if (n === 9) return void response.end("here");
    response.writeHead(302, { location: n === 3 ? "/to/9" : `/to/${n + 1}` }).end("moved");
  };
  const read = async (path: string, follow?: (from: string, to: string) => boolean): Promise<string> => {
    let text = "";
    const take = async (piece: Uint8Array): Promise<void> => void (text += Buffer.from(piece).toString());
    await downloadTo(new URL(path, url).href, take, { signal: never, ...(follow && { follow }) });
    return text;
  };
  const hops: string[] = [];
  const all = (from: string, to: string): boolean =>
    hops.push(`${URL.parse(from)!.pathname} ${URL.parse(to)!.pathname}`) > 0;
  expect(await read("/to/1", all)).toBe("here");
  expect(hops).toEqual(["/to/1 /to/2", "/to/2 /to/3", "/to/3 /to/9"]);
  await expect(read("/to/0", all)).rejects.toThrow(TransferFailed);
  await expect(read("/to/3", () => false)).rejects.toMatchObject({ status: 302 });
  expect(await read("/to/0")).toBe("here");
});
