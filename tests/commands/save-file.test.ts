/** A saved file gets a free name in the folder, and is written completely or not at all. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { saveFile } from "../../src/commands/base/files/save-file.ts";

let server: Server;
let url: string;
let root: string;
let folder: string;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), "parley-save-"));
  server = createServer((request, response) => {
    if (request.url === "/no") response.writeHead(403).end("{}");
    else response.writeHead(200, { "content-length": 5 }).end("bytes");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  folder = mkdtempSync(path.join(root, "in-"));
});

const save = (name: string, where = "/yes", into = folder): Promise<string> =>
  saveFile({ url: url + where, name }, into, { signal: new AbortController().signal });

test("a file whose name is taken gets a number before its extension", async () => {
  const names: string[] = [];
  for (const name of ["a.tar.gz", "a.tar.gz", "a.tar.gz", "plain", "plain"])
    names.push(path.basename(await save(name)));
  expect(names).toEqual(["a.tar.gz", "a.tar (1).gz", "a.tar (2).gz", "plain", "plain (1)"]);
  expect(readFileSync(path.join(folder, "a.tar (2).gz"), "utf8")).toBe("bytes");
});

test("nothing is written outside the folder, through a link, or over an existing file", async () => {
  const outside = path.join(root, "outside.txt");
  writeFileSync(outside, "mine");
  symlinkSync(outside, path.join(folder, "link.txt"));
  symlinkSync(path.join(root, "nowhere"), path.join(folder, "dangling.txt"));
  writeFileSync(path.join(folder, "x.txt.part"), "mine");
  const saved = [];
  for (const name of ["../../outside.txt", "/etc/passwd", "..", "link.txt", "dangling.txt", "x.txt"])
    saved.push(path.relative(folder, await save(name)));
  expect(saved).toEqual(["outside.txt", "passwd", "file", "link (1).txt", "dangling (1).txt", "x (1).txt"]);
  expect(readFileSync(outside, "utf8")).toBe("mine");
  expect(readFileSync(path.join(folder, "x.txt.part"), "utf8")).toBe("mine");
});

test("a missing folder is created, and a long name is shortened but keeps its extension", async () => {
  const below = path.join(folder, "new", "place");
  const file = await save(`${"ä".repeat(300)}.pdf`, "/yes", below);
  expect(path.dirname(file)).toBe(below);
  expect(file).toMatch(/ä\.pdf$/);
});

test("a refused download leaves no file", async () => {
  await expect(save("a.txt", "/no")).rejects.toThrow("HTTP 403");
  expect(readdirSync(folder)).toEqual([]);
});
