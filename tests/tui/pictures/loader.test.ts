/** Pictures are fetched once, cached on disk by content within limits, and report why they are missing. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TooLarge } from "../../../src/commands/base/files/fetch-file.ts";
import { PictureLoader, type PictureRequest, type PictureState } from "../../../src/tui/pictures/loader.ts";
import type { Decoded, DecodeRequest } from "../../../src/tui/pictures/decoding.ts";
import { addressKey, DiskCache } from "../../../src/tui/pictures/disk-cache.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-loader-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const pictureRequest = (url: string, cols = 4): PictureRequest => ({
  url,
  form: "pixels",
  box: { cols, rows: 2 },
});

/** A loader whose addresses return their own URL as content, or fail. */
function makeLoader(
  more: {
    fails?: Record<string, Error>;
    bytes?: number;
    decode?: (wish: DecodeRequest) => Promise<Decoded | undefined>;
  } = {},
) {
  const fetched: string[] = [];
  let changes = 0;
  const decoded = async ({ form, box }: DecodeRequest): Promise<Decoded> => ({
    kind: "decoded",
    form,
    ...box,
    size: { width: 1, height: 1 },
    data: new Uint8Array(more.bytes ?? 16),
  });
  const one = new PictureLoader({
    diskCache: new DiskCache(folder),
    decoder: { decode: more.decode ?? decoded, animate: async () => undefined, close: () => {} },
    fetch: async (url, file) => {
      fetched.push(url);
      const error = more.fails?.[url];
      if (error) throw error;
      writeFileSync(file, url);
      return hash(url);
    },
    cell: () => ({ width: 10, height: 20 }),
    changed: () => void changes++,
  });
  const found = async (what: PictureRequest): Promise<PictureState> => {
    await expect.poll(() => one.stateOf(what).kind).not.toBe("waiting");
    return one.stateOf(what);
  };
  return { loader: one, fetched, found, changes: () => changes };
}

test("the first request waits and is notified, and later ones need no fetch", async () => {
  const { loader: one, fetched, found, changes } = makeLoader();
  expect(one.stateOf(pictureRequest("https://a.example/1.png"))).toEqual({ kind: "waiting" });
  expect((await found(pictureRequest("https://a.example/1.png"))).kind).toBe("decoded");
  expect((await found(pictureRequest("https://a.example/1.png", 9))).kind).toBe("decoded");
  expect(fetched).toEqual(["https://a.example/1.png"]);
  expect(changes()).toBe(2);
  expect(one.version("https://a.example/1.png")).toBe(2);
});

test("the next start finds the picture on disk, also under a newer signature", async () => {
  const first = makeLoader();
  await first.found(pictureRequest("https://a.example/1.png?Expires=1&sig=x&n=1"));
  const second = makeLoader();
  await second.found(pictureRequest("https://a.example/1.png?Expires=2&sig=y&n=1"));
  expect(second.fetched).toEqual([]);
  await second.found(pictureRequest("https://a.example/1.png?Expires=2&sig=y&n=2"));
  expect(second.fetched).toHaveLength(1);
  expect(addressKey("https://a.example/1.png?n=1")).toBe(addressKey("https://a.example/1.png?sig=z&n=1"));
});

test("cached pictures are private", async () => {
  const { found } = makeLoader();
  await found(pictureRequest("https://a.example/1.png"));
  const modes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).mode & 0o077);
  expect(modes.length).toBeGreaterThan(0);
  if (process.platform !== "win32" && readdirSync(folder).some((name) => name.endsWith(".at")))
    expect(
      statSync(
        path.join(
          folder,
          readdirSync(folder).find((name) => name.endsWith(".at"))!,
        ),
      ).mode & 0o077,
    ).toBe(0);
});

test("a picture that cannot be fetched or is too large says so, leaves no file, and is retried on request", async () => {
  const lost = "https://a.example/lost.png";
  const large = "https://a.example/large.png";
  const {
    loader: one,
    fetched,
    found,
  } = makeLoader({ fails: { [lost]: new Error("no"), [large]: new TooLarge(5) } });
  expect(await found(pictureRequest(lost))).toEqual({ kind: "refused", why: "fetch" });
  expect(await found(pictureRequest(large))).toEqual({ kind: "refused", why: "bytes" });
  expect(readdirSync(folder)).toEqual([]);
  one.dropFailed(lost);
  one.dropFailed(large);
  await found(pictureRequest(lost));
  await found(pictureRequest(large));
  expect(fetched).toEqual([lost, large, lost]);
});

test("decoded pictures are kept up to a size, and the least recently used are dropped", async () => {
  const { loader: one, found } = makeLoader({ bytes: 4_000_000 });
  for (const n of [1, 2, 3]) await found(pictureRequest(`https://a.example/${n}.png`));
  one.stateOf(pictureRequest("https://a.example/1.png"));
  await found(pictureRequest("https://a.example/4.png"));
  expect(one.stateOf(pictureRequest("https://a.example/1.png")).kind).toBe("decoded");
  expect(one.stateOf(pictureRequest("https://a.example/2.png")).kind).toBe("waiting");
});

test("a request dropped by the decoder is repeated by the next draw", async () => {
  let first = true;
  const { loader: one, found } = makeLoader({
    decode: async ({ form, box }) => {
      if (first) return void (first = false);
      return { kind: "decoded", form, ...box, size: { width: 1, height: 1 }, data: new Uint8Array(4) };
    },
  });
  one.stateOf(pictureRequest("https://a.example/1.png"));
  expect((await found(pictureRequest("https://a.example/1.png"))).kind).toBe("decoded");
});

test("a picture that is shown again counts as used last, and one that had to go is fetched again", async () => {
  const address = (name: string): string => `https://a.example/${name}`;
  let fetched: string[] = [];
  const cache = new DiskCache(folder, 550);
  const show = async (name: string): Promise<string> => {
    const file = await cache.fileOf(address(name), async (part) => {
      fetched.push(name);
      writeFileSync(part, name.repeat(100));
      return hash(name);
    });
    expect([name, readFileSync(file, "utf8")]).toEqual([name, name.repeat(100)]);
    // Each use has a second of its own: file systems round times.
    for (const one of readdirSync(folder)) {
      const { atimeMs, mtimeMs } = statSync(path.join(folder, one));
      utimesSync(path.join(folder, one), atimeMs / 1000 - 1, mtimeMs / 1000 - 1);
    }
    return file;
  };
  for (const name of ["a", "b", "c"]) await show(name);
  const held = (): string[] =>
    ["a", "b", "c", "d"].filter((name) => readdirSync(folder).includes(hash(name)));
  expect(held()).toEqual(["a", "b", "c"]);
  fetched = [];
  await show("a");
  expect(fetched).toEqual([]);
  await show("d");
  expect(held()).toEqual(["a", "c", "d"]);
  expect(fetched).toEqual(["d"]);
  await show("a");
  expect(fetched).toEqual(["d"]);
  await show("b");
  expect(fetched).toEqual(["d", "b"]);
  expect(held()).toEqual(["a", "b", "d"]);
});

test("a picture is fetched again a week after it was fetched, however often it was shown meanwhile", async () => {
  const cache = new DiskCache(folder);
  let fetched = 0;
  const show = (): Promise<string> =>
    cache.fileOf("https://a.example/1", async (part) => {
      writeFileSync(part, "a");
      fetched++;
      return hash("a");
    });
  const pass = (days: number): void => {
    for (const one of readdirSync(folder)) {
      const { atimeMs, mtimeMs } = statSync(path.join(folder, one));
      const seconds = days * 24 * 3600;
      utimesSync(path.join(folder, one), atimeMs / 1000 - seconds, mtimeMs / 1000 - seconds);
    }
  };
  const fetches: number[] = [];
  for (const days of [0, 3, 3.9, 0.2, 6.9]) {
    pass(days);
    await show();
    fetches.push(fetched);
  }
  expect(fetches).toEqual([1, 1, 1, 2, 2]);
});

test("the disk cache stays within its size, and keeps what was used last", async () => {
  const diskCache = new DiskCache(folder, 400);
  const fetch = (text: string) => async (file: string) => {
    writeFileSync(file, text.repeat(100));
    return hash(text);
  };
  const first = await diskCache.fileOf("https://a.example/1", fetch("a"));
  for (const text of ["b", "c", "d"]) await diskCache.fileOf(`https://a.example/${text}`, fetch(text));
  const sizes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(400);
  expect(readdirSync(folder)).toContain(hash("d"));
  expect(readdirSync(folder)).not.toContain(path.basename(first));
});
