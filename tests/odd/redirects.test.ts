/** File addresses that answer with a redirect: pictures, saved files and archived ones are fetched, or refused in words, and nothing else is contacted. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { fetchFile } from "../../src/commands/base/files/fetch-file.ts";
import { saveFile } from "../../src/commands/base/files/save-file.ts";
import { downloadOne } from "../../src/jobs/archive/files.ts";
import { mayFollow, mayLead } from "../../src/model/pictures.ts";

/** What each path of the file server leads to; a path that is not there is the file. */
let leads: Record<string, string>;
/** Calls of the file server and of the one beside it, which has the file, too. */
let seen: string[];
let beside: string[];
let folder: string;

const answer =
  (calls: () => string[]): http.RequestListener =>
  ({ url = "" }, response) => {
    calls().push(url);
    const to = calls() === seen ? leads[url] : undefined;
    if (to === undefined) return void response.writeHead(200, { "content-type": "text/plain" }).end("tea");
    response.writeHead(302, to === "" ? {} : { location: to }).end("moved");
  };
const files = http.createServer(answer(() => seen));
const others = http.createServer(answer(() => beside));
const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [files, others])
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(() => {
  for (const server of [files, others]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  [leads, seen, beside] = [{}, [], []];
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-redirects-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const address = (): string => `http://127.0.0.1:${portOf(files)}/a`;

/** Ways to have a file; each resolves with its text. */
const WAYS: Readonly<Record<string, () => Promise<string>>> = {
  async "a picture"() {
    const file = path.join(folder, "picture");
    const follow = (from: string, to: string): boolean => mayFollow(from, to, "127.0.0.1", new Set());
    await fetchFile(address(), file, { signal, maxBytes: 100, follow });
    return readFileSync(file, "utf8");
  },
  async "a saved file"() {
    return readFileSync(await saveFile({ url: address(), name: "a.txt" }, folder, { signal }), "utf8");
  },
  async "an archived file"() {
    const providerHost = `127.0.0.1:${portOf(files)}`;
    const { hash } = await downloadOne(address(), folder, { providerHost, maxBytes: 100, signal });
    return readFileSync(path.join(folder, hash), "utf8");
  },
};

const chain = (length: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length }, (_, n) => [n === 0 ? "/a" : `/${n}`, n === length - 1 ? "/file" : `/${n + 1}`]),
  );

interface Case {
  leads: () => Record<string, string>;
  /** Undefined: the file is had. */
  refused?: RegExp;
  only?: readonly string[];
}
const CASES: Readonly<Record<string, Case>> = {
  "to another path": { leads: () => ({ "/a": "/b" }) },
  "three in a row": { leads: () => chain(3) },
  "four in a row": {
    leads: () => chain(4),
    only: ["a picture", "an archived file"],
    refused: /leads on and on|too many redirects/,
  },
  "eleven in a row": { leads: () => chain(11), refused: /leads on and on|too many redirects/ },
  "in a circle": { leads: () => ({ "/a": "/b", "/b": "/a" }), refused: /leads on and on|too many redirects/ },
  "to a file of this machine": {
    leads: () => ({ "/a": "file:///etc/hostname" }),
    refused: /leads elsewhere|not http or https/,
  },
  "to credentials": {
    leads: () => ({ "/a": `http://ana:secret@localhost:${portOf(others)}/a` }),
    refused: /leads elsewhere|not http or https|not a public address/,
  },
  "without an address": { leads: () => ({ "/a": "" }), refused: /HTTP 302|answered 302/ },
  "to another host": {
    leads: () => ({ "/a": `http://localhost:${portOf(others)}/a` }),
    refused: /leads elsewhere|not a public address/,
    only: ["a picture", "an archived file"],
  },
};

const cases = Object.entries(WAYS).flatMap(([what, get]) =>
  Object.entries(CASES)
    .filter(([, { only }]) => only?.includes(what) ?? true)
    .map(([where, one]) => ({ what, where, get, ...one })),
);

test.each(cases)("$what that leads $where", async ({ get, leads: of, refused }) => {
  leads = of();
  if (refused === undefined) return expect(await get()).toBe("tea");
  await expect(get()).rejects.toThrow(refused);
  expect([beside, readdirSync(folder).filter((name) => name !== "picture")]).toEqual([[], []]);
  expect(seen.length).toBeLessThanOrEqual(11);
});

test("a saved file on this machine's own network may be on another host of it", async () => {
  leads = { "/a": `http://127.0.0.1:${portOf(others)}/a` };
  expect([await WAYS["a saved file"]!(), beside]).toEqual(["tea", ["/a"]]);
});

test.each([
  ["https://cdn.example.com/a", "https://eu.cdn.example.net/a", true],
  ["http://cdn.example.com/a", "https://cdn.example.com/a", true],
  ["https://cdn.example.com/a", "http://cdn.example.com/a", false],
  ["https://cdn.example.com/a", "https://192.168.1.1/a", false],
  ["https://cdn.example.com/a", "https://[::1]/a", false],
  ["https://cdn.example.com/a", "https://printer.local/a", false],
  ["https://cdn.example.com/a", "https://intranet/a", false],
  ["https://cdn.example.com/a", "https://2130706433/a", false],
  ["https://chat.corp/a", "https://files.corp/a", true],
  ["http://127.0.0.1:4000/a", "http://127.0.0.1:9000/a", true],
  ["https://cdn.example.com/a", "data:text/plain,a", false],
])("a file that was asked for leads from %s to %s: %s", (from, to, may) => {
  expect(mayLead(from, to)).toBe(may);
});
