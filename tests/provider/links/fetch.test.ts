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
let asked: string[];
let answer: RequestListener;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
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

test("gives the page, asked for by its name", async () => {
  answer = html("<title>Tea</title>");
  const page = await get("/a?b=c");
  expect(pageText(page)).toBe("<title>Tea</title>");
  expect(page.url).toBe(`http://tea.example:${port}/a?b=c`);
  expect(asked).toEqual([`tea.example:${port} /a?b=c`]);
});

test.each([
  ["http://127.0.0.1"],
  ["http://[::1]"],
  ["http://0x7f.1"],
  ["http://2130706433"],
  ["http://[::ffff:127.0.0.1]"],
])("refuses %s without asking it", async (base) => {
  answer = html("secret");
  await expect(fetchPage(pageUrl(`${base}:${port}/`)!)).rejects.toThrow("is not a public address");
  expect(asked).toEqual([]);
});

test("refuses a name that leads inside, also when only one of its addresses does", async () => {
  answer = html("secret");
  const both = async () => [
    { address: "93.184.215.14", family: 4 },
    { address: "127.0.0.1", family: 4 },
  ];
  await expect(get("/", { lookup: both })).rejects.toThrow("is not a public address");
  await expect(get("/", { lookup: async () => [{ address: "::ffff:10.0.0.1", family: 6 }] })).rejects.toThrow(
    "public",
  );
  expect(asked).toEqual([]);
});

test("connects to the address that was checked: the name is resolved once", async () => {
  answer = html("<title>Tea</title>");
  let times = 0;
  const lookup = async () =>
    times++ === 0 ? [{ address: "127.0.0.1", family: 4 }] : [{ address: "10.0.0.1", family: 4 }];
  await get("/", { allow: ["tea.example"], lookup });
  expect(times).toBe(1);
});

test("each page has a connection of its own: none goes on where a name of before led", async () => {
  let connections = 0;
  server.on("connection", () => connections++);
  answer = html("<title>Tea</title>");
  for (const path of ["/a", "/b", "/c"]) await get(path);
  expect([asked.length, connections]).toEqual([3, 3]);
});

test("an allowed host and port is not another port of it", async () => {
  answer = html("<title>Tea</title>");
  await expect(get("/", { ...names, allow: [`tea.example:${port}`] })).resolves.toBeDefined();
  await expect(get("/", { ...names, allow: ["tea.example:1"] })).rejects.toThrow("public");
});

test("follows three redirects and not a fourth, each checked anew", async () => {
  answer = (request, response) => {
    const hop = Number(request.url!.slice(1));
    if (hop === 0) return html("<title>Tea</title>")(request, response);
    response.writeHead(302, { Location: `/${hop - 1}` }).end();
  };
  expect((await get("/3")).url).toBe(`http://tea.example:${port}/0`);
  await expect(get("/4")).rejects.toThrow("too many redirects");
  answer = (_request, response) =>
    void response.writeHead(301, { Location: `http://inside.example:${port}/` }).end();
  asked = [];
  await expect(get("/")).rejects.toThrow("is not a public address");
  expect(asked).toHaveLength(1);
});

test.each(["ftp://tea.example/", "javascript:alert(1)", "file:///etc/passwd", "http://"])(
  "a redirect to %s leads nowhere",
  async (location) => {
    answer = (_request, response) => void response.writeHead(302, { Location: location }).end();
    await expect(get("/")).rejects.toThrow("leads nowhere");
  },
);

test.each([
  ["a picture", "image/png"],
  ["JSON", "application/json"],
  ["nothing named", ""],
])("%s is no page", async (_name, type) => {
  answer = html("x", type);
  await expect(get("/")).rejects.toThrow("not HTML");
});

test("an error answer is no page", async () => {
  answer = (_request, response) =>
    void response.writeHead(404, { "Content-Type": "text/html" }).end("<title>no</title>");
  await expect(get("/")).rejects.toThrow("404");
});

test("reads so much and no more of a page that never ends", async () => {
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
  ["says nothing", () => {}],
  [
    "stops in the middle",
    (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.write("<title>");
    },
  ],
])("gives up on a page that %s", async (_name, silent) => {
  answer = silent;
  await expect(get("/", { ...names, time: 150 })).rejects.toThrow();
});

test("gives up on a name that is not found in time", async () => {
  await expect(get("/", { lookup: () => new Promise(() => {}), time: 50 })).rejects.toThrow();
});

test("credentials and fragments of an address are not sent anywhere", async () => {
  answer = (request, response) => {
    expect(request.headers.authorization).toBeUndefined();
    html("<title>Tea</title>")(request, response);
  };
  await fetchPage(pageUrl(`http://ada:secret@tea.example:${port}/#part`)!, names);
  expect(asked).toEqual([`tea.example:${port} /`]);
});

test.each<[string, Buffer, string]>([
  ["the answer's charset", Buffer.from("<title>caf\xe9</title>", "latin1"), "text/html; charset=ISO-8859-1"],
  [
    "the page's own",
    Buffer.from('<meta charset="windows-1252"><title>caf\xe9</title>', "latin1"),
    "text/html",
  ],
  [
    "the page's own, the old way",
    Buffer.from(
      '<meta http-equiv="Content-Type" content="text/html; charset=latin1"><title>caf\xe9</title>',
      "latin1",
    ),
    "text/html",
  ],
  ["UTF-8 when nobody says, or nonsense", Buffer.from("<title>café</title>"), "text/html; charset=nonsense"],
])("reads letters by %s", async (_name, body, type) => {
  answer = html(body, type);
  expect(pageText(await get("/"))).toContain("café");
});

test("never visits a public address that is this machine's own, named or by number", async () => {
  const own = (): string[] => ["203.0.114.7", "2a00:1450:0:0::7", "fe80::1%eth0"];
  const lookup = async () => [{ address: "2a00:1450::7", family: 6 }];
  await expect(get("/", { own, lookup }, "home.example")).rejects.toThrow("this machine itself");
  await expect(fetchPage(pageUrl(`http://203.0.114.7:${port}/`)!, { own })).rejects.toThrow(
    "this machine itself",
  );
  expect(asked).toEqual([]);
});
test("the addresses of this machine are those of its interfaces", () => {
  expect(ownAddresses()).toContain("127.0.0.1");
  expect(isOneOf("127.0.0.1", ownAddresses())).toBe(true);
  expect(isOneOf("8.8.8.8", ownAddresses())).toBe(false);
});
