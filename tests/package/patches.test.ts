/** Each library that the build patches behaves like the published one on the same inputs. */
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import naughty from "big-list-of-naughty-strings" with { type: "json" };
import { build, type Plugin } from "esbuild";
import fc from "fast-check";
import type { Got, OptionsInit, Response } from "got";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundlePatches } from "../../scripts/bundle-patches.ts";
import { gotFormData, gotHttp2 } from "../../scripts/patches/got.ts";
import { isFormats } from "../../scripts/patches/is.ts";
import { nodeEmoji } from "../../scripts/patches/node-emoji.ts";
import { nodeHttp } from "../../scripts/patches/node-http.ts";
import { replaceOnce } from "../../scripts/patches/patch.ts";
import { lateSegmenter } from "../../scripts/patches/segmenter.ts";
import { sixelStrict } from "../../scripts/patches/sixel.ts";
import { emojiPrefix, oneWidth } from "../../scripts/patches/string-width.ts";
import { yogaLayout } from "../../scripts/patches/yoga-layout.ts";
import { allEmoji } from "../../src/text/emoji.ts";
import { makeAuthority, type Authority } from "../support/certificates.ts";
import { runs } from "../support/proof.ts";
import { removeFolder } from "../support/remove-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-patches-"));
afterAll(() => removeFolder(folder));

let bundleCount = 0;
/** Bundles this module with these patches and returns the file. */
async function bundled(contents: string, plugins: Plugin[]): Promise<string> {
  const outfile = path.join(folder, `${++bundleCount}.mjs`);
  await build({
    stdin: { contents, resolveDir: ROOT },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    logLevel: "error",
    plugins,
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);',
    },
  });
  return outfile;
}

interface Both<T> {
  published: T;
  patched: T;
}
/** A module as published and as patched by the build. */
async function both<T>(contents: string, patches: Plugin[]): Promise<Both<T>> {
  const [published, patched] = await Promise.all([bundled(contents, []), bundled(contents, patches)]);
  return {
    published: (await import(pathToFileURL(published).href)) as T,
    patched: (await import(pathToFileURL(patched).href)) as T,
  };
}

/** Imports the bundle as `it` in a new process, runs `then`, and returns which of HTTP/2 and undici (which loads HTTP/2) were loaded. */
async function loadedBy(file: string, then = ""): Promise<string> {
  const script = path.join(folder, `${++bundleCount}-run.mjs`);
  writeFileSync(
    script,
    `const it = await import(${JSON.stringify(pathToFileURL(file).href)}); ${then}
     const loaded = (name) => process.moduleLoadList.some((each) => each.endsWith(name));
     console.log([loaded(" http2") && "http2", loaded("/undici") && "undici"].filter(Boolean).join(" "));`,
  );
  return (await promisify(execFile)(process.execPath, [script])).stdout.trim();
}

test("every patch of the build is tested here or in frame-memory.test.ts", () => {
  const testedHere = [
    yogaLayout,
    gotFormData,
    gotHttp2,
    isFormats,
    nodeHttp,
    nodeEmoji,
    oneWidth,
    emojiPrefix,
    lateSegmenter,
    sixelStrict,
  ];
  // tests/tui/terminal/frame-memory.test.ts draws, cleans and measures with Ink as it is published and as it is patched
  const inks = ["ink: frames", "ink: cleaned rows", "ink: widths"];
  const names = [...testedHere.map((patch) => patch.name), ...inks];
  expect(bundlePatches.map((patch) => patch.name).toSorted()).toEqual(names.toSorted());
});

test("a patch whose text a library no longer has, or has twice, stops the build", () => {
  expect(() => replaceOnce("a b", [["c", "d"]], "x.js")).toThrow("x.js has changed: no single c");
  expect(() => replaceOnce("c c", [["c", "d"]], "x.js")).toThrow("x.js has changed: no single c");
  expect(replaceOnce("a $& c", [["a", "$&"]], "x.js")).toBe("$& $& c");
});

describe("@sindresorhus/is", () => {
  interface Is {
    assert: { any(predicates: unknown, ...values: unknown[]): void };
    default: Record<"string" | "number" | "map", unknown>;
  }
  const errorOf = ({ assert, default: is }: Is, ...values: unknown[]): string => {
    try {
      assert.any([is.string, is.number, is.map], ...values);
      return "nothing";
    } catch (error) {
      return (error as Error).message;
    }
  };

  test("names expected and actual types in the same words", async () => {
    const { published, patched } = await both<Is>('export { assert, default } from "@sindresorhus/is";', [
      isFormats,
    ]);
    for (const values of [[true], [true, Symbol("s"), null], ["a", 1]])
      expect(errorOf(patched, ...values)).toBe(errorOf(published, ...values));
    expect(errorOf(patched, true, null)).toContain(" and ");
  });
});

describe("yoga-layout", () => {
  interface YogaNode {
    setWidth(value: number): void;
    setHeight(value: number): void;
    setFlexGrow(value: number): void;
    setFlexDirection(value: number): void;
    setPadding(edge: number, value: number): void;
    insertChild(child: YogaNode, index: number): void;
    calculateLayout(width: number, height: number, direction: number): void;
    getComputedLayout(): object;
    getChild(index: number): YogaNode;
    getChildCount(): number;
    freeRecursive(): void;
  }
  interface Yoga {
    default: { Node: { create(): YogaNode } };
  }
  interface Tree {
    size: number;
    grow: number;
    direction: number;
    padding: number;
    children: Tree[];
  }
  const tree: fc.Memo<Tree> = fc.memo((depth) =>
    fc.record({
      size: fc.integer({ min: 0, max: 60 }),
      grow: fc.nat(3),
      direction: fc.nat(3),
      padding: fc.nat(4),
      children: depth > 1 ? fc.array(tree(depth - 1), { maxLength: 3 }) : fc.constant([]),
    }),
  );

  const buildTree = ({ default: { Node } }: Yoga, of: Tree): YogaNode => {
    const node = Node.create();
    if (of.size > 0) node.setWidth(of.size);
    if (of.size % 3 === 0) node.setHeight(of.size / 3);
    node.setFlexGrow(of.grow);
    node.setFlexDirection(of.direction);
    node.setPadding(8, of.padding);
    for (const [i, child] of of.children.entries())
      node.insertChild(buildTree({ default: { Node } }, child), i);
    return node;
  };
  const places = (node: YogaNode): object[] => [
    node.getComputedLayout(),
    ...Array.from({ length: node.getChildCount() }, (_, i) => places(node.getChild(i))),
  ];
  const laidOut = (yoga: Yoga, of: Tree): object[] => {
    const node = buildTree(yoga, of);
    node.calculateLayout(120, 40, 1);
    const found = places(node);
    node.freeRecursive();
    return found;
  };

  test("lays out every tree alike", async () => {
    const { published, patched } = await both<Yoga>('export { default } from "yoga-layout";', [yogaLayout]);
    fc.assert(
      fc.property(tree(4), (of) => {
        expect(laidOut(patched, of)).toEqual(laidOut(published, of));
      }),
      { numRuns: runs(500, 100) },
    );
  });

  test("does not load undici, as the published one does", async () => {
    const text = 'export { default } from "yoga-layout";';
    expect(await loadedBy(await bundled(text, []))).toBe("http2 undici");
    expect(await loadedBy(await bundled(text, [yogaLayout]))).toBe("");
  });
});

describe("got", () => {
  let server: Server;
  let secure: Http2SecureServer;
  let authority: Authority;
  let found: Both<{ default: Got }>;
  const answer = (body: string, headers: Record<string, unknown>, url: string, method: string): string =>
    JSON.stringify({ url, method, body, type: headers["content-type"], length: headers["content-length"] });

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const url = request.url!;
        if (url === "/moved") return response.writeHead(302, { location: "/there" }).end();
        if (url === "/never") return undefined;
        const text = answer(Buffer.concat(chunks).toString("utf8"), request.headers, url, request.method!);
        if (url === "/zipped")
          return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text));
        return response.writeHead(url === "/missing" ? 404 : 200, { "x-a": "1" }).end(text);
      });
    }).listen(0, "127.0.0.1");
    authority = makeAuthority();
    secure = createSecureServer(authority.issue(["localhost"]), (request, response) => {
      response.end(`${request.httpVersion} ${request.method} ${request.url}`);
    }).listen(0, "localhost");
    await Promise.all([server, secure].map((each) => new Promise((done) => each.once("listening", done))));
    found = await both('export { default } from "got";', [gotFormData, gotHttp2, nodeHttp]);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    secure.close();
    authority.remove();
  });

  const cases: [string, OptionsInit][] = [
    ["/plain", {}],
    ["/moved", {}],
    ["/moved", { followRedirect: false }],
    ["/missing", {}],
    ["/missing", { throwHttpErrors: false }],
    ["/zipped", {}],
    ["/json", { method: "POST", json: { a: [1, "ü"] } }],
    ["/form", { method: "POST", form: { a: "1 & 2" } }],
    ["/text", { method: "PUT", body: "text ü" }],
    ["/bytes", { method: "PUT", body: Buffer.from([0x61, 0x62]) }],
    ["/empty", { method: "DELETE" }],
    ["/query", { searchParams: { a: "b c" } }],
    ["/never", { timeout: { request: 50 } }],
    ["/bad", { method: "GET", body: "no" }],
  ];
  /** The outcome of a call, as data. */
  const outcome = async (got: Got, url: string, options: OptionsInit): Promise<object> => {
    try {
      const { statusCode, body, headers } = (await got(url, {
        retry: { limit: 0 },
        ...options,
      })) as Response<string>;
      return { statusCode, body, a: headers["x-a"] };
    } catch (error) {
      const { name, code, message } = error as Error & { code?: string };
      return { name, code, message };
    }
  };

  test.each(cases)("%s %o ends alike", async (route, options) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${route}`;
    const published = await outcome(found.published.default, url, options);
    expect(await outcome(found.patched.default, url, options)).toEqual(published);
  });

  test("uses HTTP/2 alike when told to", async () => {
    const url = `https://localhost:${(secure.address() as AddressInfo).port}/h2`;
    const options: OptionsInit = { http2: true, https: { certificateAuthority: authority.pem } };
    const published = await outcome(found.published.default, url, options);
    expect(published).toMatchObject({ statusCode: 200, body: "2.0 GET /h2" });
    expect(await outcome(found.patched.default, url, options)).toEqual(published);
  });

  test("loads neither undici nor HTTP/2 for a call, which needs all of the patches", async () => {
    const text = 'export { default } from "got";';
    const call = `await it.default(${JSON.stringify(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)}, { method: "POST", body: "x" });`;
    const run = async (patches: Plugin[]): Promise<string> => loadedBy(await bundled(text, patches), call);
    expect(await run([gotFormData, gotHttp2, nodeHttp])).toBe("");
    expect(await run([gotHttp2, nodeHttp])).toBe("http2 undici");
    expect(await run([gotFormData, gotHttp2])).toBe("http2 undici");
    expect(await run([gotFormData, nodeHttp])).toBe("http2");
  });
});

describe("node:http", () => {
  const text =
    'import http from "node:http"; export { createServer, request, Agent, STATUS_CODES } from "node:http"; export { http };';

  test("is the same module except for the listed names", async () => {
    const { published, patched } = await both<Record<string, unknown>>(text, [nodeHttp]);
    expect(patched).toEqual(published);
    const all = 'export * from "node:http";';
    const names = await both<Record<string, unknown>>(all, [nodeHttp]);
    const missing = Object.keys(names.published).filter((name) => !(name in names.patched));
    expect(missing.toSorted()).toEqual([
      "CloseEvent",
      "MessageEvent",
      "WebSocket",
      "_connectionListener",
      "globalAgent",
      "maxHeaderSize",
    ]);
    for (const [name, value] of Object.entries(names.patched)) expect(value).toBe(names.published[name]);
  });

  test("does not load undici, as the plain module does", async () => {
    expect(await loadedBy(await bundled(text, []))).toBe("http2 undici");
    expect(await loadedBy(await bundled(text, [nodeHttp]))).toBe("");
  });
});

describe("node-emoji", () => {
  interface NodeEmoji {
    get(name: string): string | undefined;
    search(keyword: string): { emoji: string; name: string }[];
    which(emoji: string): string | undefined;
  }

  test("finds the same emoji by name, names by emoji, and matches of any word", async () => {
    const { published, patched } = await both<NodeEmoji>('export { get, search, which } from "node-emoji";', [
      nodeEmoji,
    ]);
    const all = allEmoji();
    expect(all.length).toBeGreaterThan(1500);
    for (const { emoji, name } of all) {
      expect(patched.get(name)).toBe(published.get(name));
      expect(patched.which(emoji)).toBe(published.which(emoji));
    }
    fc.assert(
      fc.property(fc.stringMatching(/^[\w:é -]*$/), (word) => {
        expect(patched.get(word)).toBe(published.get(word));
        expect(patched.which(word)).toBe(published.which(word));
        expect(patched.search(word)).toEqual(published.search(word));
      }),
    );
  });
});

describe("string-width", () => {
  type Measure = { default(text: string, options?: object): number };
  const texts = [
    ...naughty,
    ...allEmoji().map(({ emoji }) => emoji),
    "\x1b[1mbold\x1b[22m",
    "\x1b]8;;https://a.b\x07link\x1b]8;;\x07",
  ];

  test("measures every text alike with the cheaper emoji test", async () => {
    const { published, patched } = await both<Measure>('export { default } from "string-width";', [
      emojiPrefix,
    ]);
    for (const text of texts)
      expect(patched.default(text), JSON.stringify(text)).toBe(published.default(text));
    const cluster = fc.constantFrom(
      "👍",
      "🏽",
      "\u200d",
      "\ufe0f",
      "🇩",
      "🇪",
      "1",
      "\u20e3",
      "é",
      "日",
      "❤",
      "a",
      "\u{e0067}",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(cluster).map((parts) => parts.join("")),
        ),
        (text) => {
          expect(patched.default(text)).toBe(published.default(text));
        },
      ),
      { numRuns: runs(2000, 300) },
    );
  });

  test("measures every text alike with a segmenter made on first use, and plain text makes none", async () => {
    const { Segmenter } = Intl;
    let count = 0;
    const counted = class extends Segmenter {
      constructor(...given: ConstructorParameters<typeof Segmenter>) {
        super(...given);
        count++;
      }
    };
    Object.assign(Intl, { Segmenter: counted });
    try {
      const file = await bundled('export { default } from "string-width";', [lateSegmenter]);
      const { default: patched } = (await import(pathToFileURL(file).href)) as Measure;
      expect([patched("parley --help"), count]).toEqual([13, 0]);
      const { published } = await both<Measure>('export { default } from "string-width";', []);
      for (const text of texts) expect(patched(text), JSON.stringify(text)).toBe(published.default(text));
      expect(count).toBeGreaterThan(0);
    } finally {
      Object.assign(Intl, { Segmenter });
    }
  });

  test("measures every row alike in Ink's helpers", async () => {
    // Rows are single lines of sanitized text, so nothing else is measured.
    const lines = texts.filter(
      (text) => !/[\p{Control}\p{Default_Ignorable_Code_Point}]/u.test(text) || text.startsWith("\x1b"),
    );
    expect(lines.length).toBeGreaterThan(1000);
    const newest = await both<Measure>('export { default } from "string-width";', []);
    const widest = await bundled('export { default } from "widest-line";', [oneWidth, emojiPrefix]);
    const { default: measured } = (await import(pathToFileURL(widest).href)) as Measure;
    for (const line of lines)
      expect(measured(line), JSON.stringify(line)).toBe(newest.published.default(line));
  });
});

describe("sixel", () => {
  test("encodes a photo as the published one does outside of a bundle", async () => {
    const contents = 'export { image2sixel } from "sixel/lib/SixelEncoder.js";';
    const published = pathToFileURL(await bundled(contents, []));
    await expect(import(published.href)).rejects.toThrow("UPNG is not defined");
    const patched = pathToFileURL(await bundled(contents, [sixelStrict]));
    const [side, colours] = [48, 64];
    const photo = Uint8Array.from({ length: side * side * 4 }, (_, i) =>
      i % 4 === 3 ? 255 : (i * 7 + (i >> 5) * 13) % 256,
    );
    const { image2sixel } = (await import(patched.href)) as typeof import("sixel/lib/SixelEncoder.js");
    const outside = createRequire(import.meta.url)("sixel/lib/SixelEncoder.js") as {
      image2sixel: typeof image2sixel;
    };
    const drawn = image2sixel(photo.slice(), side, side, colours, 1);
    expect(drawn).toBe(outside.image2sixel(photo.slice(), side, side, colours, 1));
    expect(drawn.length).toBeGreaterThan(1000);
  });
});
