/** Fetching pages over loopback: allowed addresses, redirects, time limits and size limits (OG-2, OG-3). */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isOneOf, ownAddresses } from "../../../src/model/public-address.ts";
import { fetchPage, pageUrl, type FetchOptions } from "../../../src/provider/links/fetch.ts";
import { pageText } from "../../../src/provider/links/preview.ts";
import { PAGE_BYTES } from "../../../src/wire/constants.ts";

let server: Server;
let port: number;
let requests: string[];
let answer: RequestListener;

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const html =
  (body: string | Buffer, type = "text/html; charset=utf-8"): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { "Content-Type": type }).end(body);
  };
/** Every name resolves to this machine; only tea.example may be fetched from there. */
const names: FetchOptions = {
  allow: ["tea.example"],
  lookup: async () => [{ address: "127.0.0.1", family: 4 }],
};
const get = (path: string, options: FetchOptions = names, host = "tea.example") =>
  fetchPage(pageUrl(`http://${host}:${port}${path}`)!, options);

test("gives the page and sends its host name", async () => {
  answer = html("<title>Tea</title>");
  const page = await get("/a?b=c");
  expect(pageText(page)).toBe("<title>Tea</title>");
  expect(page.url).toBe(`http://tea.example:${port}/a?b=c`);
  expect(requests).toEqual([`tea.example:${port} /a?b=c`]);
});

test.each([
  ["http://127.0.0.1"],
  ["http://[::1]"],
  ["http://0x7f.1"],
  ["http://2130706433"],
  ["http://[::ffff:127.0.0.1]"],
])("%s is refused without a request", async (base) => {
  answer = html("secret");
  await expect(fetchPage(pageUrl(`${base}:${port}/`)!)).rejects.toThrow("is not a public address");
  expect(requests).toEqual([]);
});

test("a name is refused when any of its addresses is not public", async () => {
  answer = html("secret");
  const both = async () => [
    { address: "93.184.215.14", family: 4 },
    { address: "127.0.0.1", family: 4 },
  ];
  await expect(get("/", { lookup: both })).rejects.toThrow("is not a public address");
  await expect(get("/", { lookup: async () => [{ address: "::ffff:10.0.0.1", family: 6 }] })).rejects.toThrow(
    "public",
  );
  expect(requests).toEqual([]);
});

test("the request goes to the address that was checked, because the name is resolved once", async () => {
  answer = html("<title>Tea</title>");
  let times = 0;
  const lookup = async () =>
    times++ === 0 ? [{ address: "127.0.0.1", family: 4 }] : [{ address: "10.0.0.1", family: 4 }];
  await get("/", { allow: ["tea.example"], lookup });
  expect(times).toBe(1);
});

test("each page has its own connection, so none is reused for a name that resolves differently now", async () => {
  let connections = 0;
  server.on("connection", () => connections++);
  answer = html("<title>Tea</title>");
  for (const path of ["/a", "/b", "/c"]) await get(path);
  expect([requests.length, connections]).toEqual([3, 3]);
});

test("a host allowed with one port is not allowed with another", async () => {
  answer = html("<title>Tea</title>");
  await expect(get("/", { ...names, allow: [`tea.example:${port}`] })).resolves.toBeDefined();
  await expect(get("/", { ...names, allow: ["tea.example:1"] })).rejects.toThrow("public");
});

test("follows three redirects but not a fourth, and checks the address of each", async () => {
  answer = (request, response) => {
    const hop = Number(request.url!.slice(1));
    if (hop === 0) return html("<title>Tea</title>")(request, response);
    response.writeHead(302, { Location: `/${hop - 1}` }).end();
  };
  expect((await get("/3")).url).toBe(`http://tea.example:${port}/0`);
  await expect(get("/4")).rejects.toThrow("too many redirects");
  answer = (_request, response) =>
    void response.writeHead(301, { Location: `http://inside.example:${port}/` }).end();
  requests = [];
  await expect(get("/")).rejects.toThrow("is not a public address");
  expect(requests).toHaveLength(1);
});

test.each(["ftp://tea.example/", "javascript:alert(1)", "file:///etc/passwd", "http://"])(
  "a redirect to %s is refused",
  async (location) => {
    answer = (_request, response) => void response.writeHead(302, { Location: location }).end();
    await expect(get("/")).rejects.toThrow("leads nowhere");
  },
);

test.each([
  ["an image", "image/png"],
  ["JSON", "application/json"],
  ["no content type", ""],
])("a page of the type %s is refused", async (_name, type) => {
  answer = html("x", type);
  await expect(get("/")).rejects.toThrow("not HTML");
});

test("an error answer is refused", async () => {
  answer = (_request, response) =>
    void response.writeHead(404, { "Content-Type": "text/html" }).end("<title>no</title>");
  await expect(get("/")).rejects.toThrow("404");
});

test("reads an endless page only up to the size limit", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    const piece = "x".repeat(64 * 1024);
    const go = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once("drain", go);
    };
    go();
  };
  expect((await get("/")).bytes).toHaveLength(PAGE_BYTES);
});

test.each<[string, RequestListener]>([
  ["sends nothing", () => {}],
  [
    "stops in the middle",
    (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.write("<title>");
    },
  ],
])("the fetch of a page that %s fails after the time limit", async (_name, silent) => {
  answer = silent;
  await expect(get("/", { ...names, time: 150 })).rejects.toThrow();
});

test("a name that does not resolve in time fails", async () => {
  await expect(get("/", { lookup: () => new Promise(() => {}), time: 50 })).rejects.toThrow();
});

test("user name, password and fragment of an address are not sent", async () => {
  answer = (request, response) => {
    expect(request.headers.authorization).toBeUndefined();
    html("<title>Tea</title>")(request, response);
  };
  await fetchPage(pageUrl(`http://ada:secret@tea.example:${port}/#part`)!, names);
  expect(requests).toEqual([`tea.example:${port} /`]);
});

test.each<[string, Buffer, string]>([
  [
    "the charset of the answer",
    Buffer.from("<title>caf\xe9</title>", "latin1"),
    "text/html; charset=ISO-8859-1",
  ],
  [
    "the charset in a meta tag of the page",
    Buffer.from('<meta charset="windows-1252"><title>caf\xe9</title>', "latin1"),
    "text/html",
  ],
  [
    "the charset in an http-equiv meta tag of the page",
    Buffer.from(
      '<meta http-equiv="Content-Type" content="text/html; charset=latin1"><title>caf\xe9</title>',
      "latin1",
    ),
    "text/html",
  ],
  ["UTF-8 when the charset is unknown", Buffer.from("<title>café</title>"), "text/html; charset=nonsense"],
])("the page is decoded with %s", async (_name, body, type) => {
  answer = html(body, type);
  expect(pageText(await get("/"))).toContain("café");
});

test("a public address of this machine itself is never requested, neither by name nor by number", async () => {
  const own = (): string[] => ["203.0.114.7", "2a00:1450:0:0::7", "fe80::1%eth0"];
  const lookup = async () => [{ address: "2a00:1450::7", family: 6 }];
  await expect(get("/", { own, lookup }, "home.example")).rejects.toThrow("this machine itself");
  await expect(fetchPage(pageUrl(`http://203.0.114.7:${port}/`)!, { own })).rejects.toThrow(
    "this machine itself",
  );
  expect(requests).toEqual([]);
});
test("ownAddresses gives the addresses of the network interfaces", () => {
  expect(ownAddresses()).toContain("127.0.0.1");
  expect(isOneOf("127.0.0.1", ownAddresses())).toBe(true);
  expect(isOneOf("8.8.8.8", ownAddresses())).toBe(false);
});
