/** Uploads and signed addresses over real sockets: limits enforced while streaming, safe names, no leftover files. */
import { once } from "node:events";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SLOWEST_FILE, UPLOADS_PER_USER } from "../../../src/wire/constants.ts";
import { storedFileName, cleanMimeType } from "../../../src/provider/files/rules.ts";
import { writeApp } from "../../../src/provider/store/app-settings.ts";
import type { AppSettings } from "../../../src/wire/entities/app.ts";
import { Harness, httpRequest, type Answer } from "../tiny.ts";

let h: Harness;
beforeAll(async () => {
  h = await Harness.start({ stay: true });
});
afterAll(() => h.stop());

interface Part {
  name: string;
  filename?: string;
  type?: string;
  body: string | Buffer;
}
const BOUNDARY = "parley-test-boundary";
function multipart(parts: Part[]): Buffer {
  const pieces: Buffer[] = [];
  for (const { name, filename, type, body } of parts) {
    const file = filename === undefined ? "" : `; filename="${filename}"`;
    const head = type === undefined ? "" : `Content-Type: ${type}\r\n`;
    pieces.push(
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${head}\r\n`),
    );
    pieces.push(Buffer.from(body as Buffer), Buffer.from("\r\n"));
  }
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
const send = (user: string | undefined, route: string, body: Buffer, query = {}): Promise<Answer> =>
  httpRequest(h.url(route, query), {
    method: "POST",
    headers: {
      Authorization: user === undefined ? h.serverToken : h.token(user),
      "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
    },
    body,
  });
const file = (filename: string, body: string | Buffer = "data", type = "text/plain"): Part => ({
  name: "file",
  filename,
  type,
  body,
});
const upload = (part: Part, route = "/uploads/file", user = "ann"): Promise<Answer> =>
  send(user, route, multipart([part]));
const stored = (): string[] => readdirSync(path.join(h.folder, "data", "files"));
const sizeOf = (name: string): number => statSync(path.join(h.folder, "data", "files", name)).size;
const settings = (changes: Partial<AppSettings>): void =>
  h.provider.transact((_emit, db) => writeApp(db, changes));

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("slow senders and readers", () => {
  afterEach(() => vi.useRealTimers());
  /** Opens an upload that sends the beginning of its file and then nothing. */
  function slowUpload(user: string): {
    request: http.ClientRequest;
    status: Promise<number>;
    send(bytes: number): void;
  } {
    const body = multipart([file("slow.bin", Buffer.alloc(1_000_000))]);
    const request = http.request(h.url("/uploads/file", {}), {
      method: "POST",
      agent: false,
      headers: {
        Authorization: h.token(user),
        "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
        "Content-Length": body.length,
      },
    });
    request.on("error", () => undefined);
    let sent = 0;
    const send = (bytes: number): void => void request.write(body.subarray(sent, (sent += bytes)));
    send(400);
    const status = new Promise<number>((resolve) =>
      request.on("response", (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      }),
    );
    return { request, status, send };
  }
  const parts = (): number => stored().filter((name) => name.endsWith(".part")).length;
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await new Promise((resolve) => setImmediate(resolve));
  };

  test("a user sends 20 files at once, not 21; others and the next one after an end are accepted", async () => {
    const slow = Array.from({ length: UPLOADS_PER_USER }, () => slowUpload("ann"));
    await until(() => parts() === UPLOADS_PER_USER);
    const refused = await upload(file("one-more.txt"));
    expect([refused.status, refused.json.code]).toEqual([429, 9]);
    expect((await upload(file("of-bob.txt"), "/uploads/file", "bob")).status).toBe(201);
    expect(
      (await send(undefined, "/uploads/file", multipart([file("of-the-server.txt")]), { user_id: "ann" }))
        .status,
    ).toBe(201);
    slow[0]!.request.destroy();
    await until(() => parts() === UPLOADS_PER_USER - 1);
    // The place is free a moment after the file is gone.
    while ((await upload(file("next.txt"))).status !== 201)
      await new Promise((resolve) => setImmediate(resolve));
    for (const { request } of slow) request.destroy();
    await until(() => parts() === 0);
  });

  test("a file that moves less than 30,000 bytes in 30 seconds is refused with 408, a slow one is not", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const [stalled, moving] = [slowUpload("ann"), slowUpload("bob")];
    await until(() => parts() === 2);
    moving.send(SLOWEST_FILE.bytes);
    await until(() =>
      stored().some((name) => name.endsWith(".part") && sizeOf(name) >= SLOWEST_FILE.bytes - 1000),
    );
    vi.advanceTimersByTime(SLOWEST_FILE.within);
    expect(await stalled.status).toBe(408);
    expect(parts()).toBe(1);
    // What it moved before does not count twice.
    vi.advanceTimersByTime(SLOWEST_FILE.within);
    expect(await moving.status).toBe(408);
    await until(() => parts() === 0);
  });

  test("a reader of a file that takes nothing any more gets no more of it", async () => {
    const size = 40_000_000;
    const { json } = await upload(file("big.bin", Buffer.alloc(size)));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const request = http.get(json.file, { agent: false });
    const [answer] = (await once(request, "response")) as [http.IncomingMessage];
    const closed = new Promise((resolve) => answer.on("error", () => undefined).once("close", resolve));
    // Bytes move until the buffers on the way are full.
    for (let n = 0; n < 100; n++) {
      vi.advanceTimersByTime(SLOWEST_FILE.within);
      await new Promise((resolve) => setImmediate(resolve));
    }
    vi.useRealTimers();
    let received = 0;
    answer.on("data", (piece: Buffer) => (received += piece.length));
    await closed;
    expect(received).toBeLessThan(size);
  });
});

describe("a part without a content type", () => {
  const withoutType = (filename: string, body: string | Buffer): Part => ({ name: "file", filename, body });
  const servedType = async (part: Part, route?: string): Promise<unknown> =>
    (await httpRequest((await upload(part, route)).json.file)).headers["content-type"];
  test("gets its type from its bytes, then from its name", async () => {
    expect(await servedType(withoutType("picture", PNG), "/uploads/image")).toBe("image/png");
    expect(await servedType(withoutType("notes.txt", PNG))).toBe("image/png");
    expect(await servedType(withoutType("plan.pdf", "%PDF-1.7"))).toBe("application/pdf");
    expect(await servedType(withoutType("data", "x"))).toBe("application/octet-stream");
    expect(await servedType(withoutType("empty.txt", ""))).toBe("text/plain");
  });
  test("is refused as an image when neither bytes nor name are one", async () => {
    expect((await upload(withoutType("notes.txt", "x"), "/uploads/image")).json.code).toBe(4);
  });
  test("keeps a declared type", async () => {
    expect(await servedType(file("plan.pdf", PNG, "text/plain"))).toBe("text/plain");
  });
});

describe("the upload routes", () => {
  test.each(["/uploads/file", "/channels/team/tea/file"])("%s stores and serves any file", async (route) => {
    const answer = await upload(file("plan.txt", "the plan"), route);
    expect(answer.status).toBe(201);
    expect(answer.json.file).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/files\/[\da-f-]{36}\/plan\.txt\?Expires=\d+&sig=[\w-]{43}$/,
    );
    const got = await httpRequest(answer.json.file);
    expect([got.status, got.text]).toEqual([200, "the plan"]);
  });
  test.each(["/uploads/image", "/channels/team/tea/image"])("%s takes images only (UP-3)", async (route) => {
    for (const type of [
      "bmp",
      "gif",
      "jpeg",
      "png",
      "webp",
      "heic",
      "heic-sequence",
      "heif",
      "heif-sequence",
      "svg+xml",
    ])
      expect((await upload(file("x", "i", `image/${type}`), route)).status).toBe(201);
    expect((await upload(file("x.PNG", "i", "application/octet-stream"), route)).status).toBe(201);
    for (const [name, type] of [
      ["x.png", "text/html"],
      ["x", "image/tiff"],
      ["x.txt", "application/octet-stream"],
    ])
      expect((await upload(file(name!, "i", type), route)).json.code).toBe(4);
  });
  test("a channel is checked before the file is read: 17 and 19 (UP-1)", async () => {
    const before = stored().length;
    expect((await upload(file("a"), "/channels/team/closed/file")).json.code).toBe(17);
    expect((await upload(file("a"), "/channels/team/dry/image")).json.code).toBe(19);
    expect(stored()).toHaveLength(before);
  });
  test("a server names the user in a part before or after the file", async () => {
    const user: Part = { name: "user", body: '{"id":"otto"}' };
    for (const parts of [
      [user, file("a")],
      [file("a"), user],
    ]) {
      const answer = await send(undefined, "/uploads/file", multipart(parts));
      expect(answer.status).toBe(201);
      const gone = await h.call("otto", "DELETE", "/uploads/file", undefined, { url: answer.json.file });
      expect(gone.status).toBe(200);
    }
  });
});

describe("names (UP-4)", () => {
  test.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\a.txt", "a.txt"],
    ["a\u0000b\u001b[31m\u202Ec.txt", "ab[31mc.txt"],
    ["..", "file"],
    ["...hidden", "hidden"],
    ["", "file"],
    ["  spaced.txt ", "spaced.txt"],
    ["日本.txt", "日本.txt"],
    ["a/", "file"],
  ])("%j becomes %j", (given, clean) => expect(storedFileName(given)).toBe(clean));
  test("names have at most 255 bytes and keep their extension", () => {
    for (const name of [`${"a".repeat(400)}.tar`, `${"ü".repeat(200)}.png`, "x".repeat(300)]) {
      const clean = storedFileName(name);
      expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(255);
      expect(path.extname(clean)).toBe(path.extname(name));
    }
    expect(storedFileName("a".repeat(255))).toHaveLength(255);
  });
  test("media types lose their parameters, and invalid ones become application/octet-stream", () => {
    expect(cleanMimeType("Text/HTML; charset=x")).toBe("text/html");
    for (const invalid of [undefined, "", "text", "a/b\r\nX: y", "a b/c"])
      expect(cleanMimeType(invalid)).toBe("application/octet-stream");
  });
  test("a hostile name stays inside the folder, and is served cleaned", async () => {
    const answer = await upload(file("..%2F..%2Fx'y(1).txt", "data"));
    const got = await httpRequest(answer.json.file);
    expect(got.status).toBe(200);
    expect(got.headers["content-disposition"]).toMatch(/^attachment; filename\*=UTF-8''[\w.%-]+$/);
    expect(existsSync(path.join(h.folder, "x'y(1).txt"))).toBe(false);
    expect(stored().every((name) => /^[\da-f-]{36}$/.test(name))).toBe(true);
    expect(statSync(path.join(h.folder, "data", "files", stored()[0]!)).mode & 0o777).toBe(0o600);
  });
});

describe("limits", () => {
  afterEach(() => settings({ file_upload_config: {}, image_upload_config: {} }));
  test("size: up to the limit passes, one byte more is 413 with code 22 and stores nothing", async () => {
    settings({ file_upload_config: { size_limit: 1000 } });
    const before = stored().length;
    expect((await upload(file("a", "x".repeat(999)))).status).toBe(201);
    expect((await upload(file("a", "x".repeat(1000)))).status).toBe(201);
    const over = await upload(file("a", "x".repeat(1001)));
    expect([over.status, over.json.code]).toEqual([413, 22]);
    expect(stored()).toHaveLength(before + 2);
  });
  test("a long stream without a declared length is stopped at the limit", async () => {
    settings({ file_upload_config: { size_limit: 100_000 } });
    const before = stored();
    const answer = await new Promise<number>((resolve, reject) => {
      const request = http.request(
        h.url("/uploads/file"),
        {
          method: "POST",
          headers: {
            Authorization: h.token("ann"),
            "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
          },
          agent: false,
        },
        (response) => {
          response.resume();
          resolve(response.statusCode!);
          request.destroy();
        },
      );
      request.on("error", reject);
      request.write(multipart([file("a", "")]).subarray(0, -(BOUNDARY.length + 8)));
      for (let n = 0; n < 20; n++) request.write(Buffer.alloc(64 * 1024, 120));
    });
    expect(answer).toBe(413);
    expect(stored()).toEqual(before);
  });
  test("a field over 64 KiB, two files, no file, another part or broken multipart is code 4 and stores nothing", async () => {
    const before = stored();
    const field = (size: number): Part => ({ name: "user", body: `{"id":"${"x".repeat(size - 9)}"}` });
    expect((await send("ann", "/uploads/file", multipart([field(64 * 1024 - 1), file("a")]))).status).toBe(
      201,
    );
    expect((await send("ann", "/uploads/file", multipart([field(64 * 1024 + 2), file("a")]))).json.code).toBe(
      4,
    );
    expect((await send("ann", "/uploads/file", multipart([file("a"), file("b")]))).json.code).toBe(4);
    const none = await send("ann", "/uploads/file", multipart([{ name: "other", body: "x" }]));
    expect([none.json.code, none.json.exception_fields]).toEqual([4, { file: "is required" }]);
    expect((await send("ann", "/uploads/file", Buffer.from("nonsense"))).json.code).toBe(4);
    const cut = multipart([file("a", "x".repeat(5000))]).subarray(0, 2000);
    expect((await send("ann", "/uploads/file", cut)).json.code).toBe(4);
    expect((await h.call("ann", "POST", "/uploads/file", {})).json.code).toBe(4);
    expect(stored()).toHaveLength(before.length + 1);
  });
  test.each([
    ["{", "upload_sizes"],
    ["{}", "upload_sizes"],
    ["[7]", "upload_sizes.0"],
    ['[{"width":0}]', "upload_sizes.0"],
    ['[{"width":10},{"height":"10"}]', "upload_sizes.1"],
    ['[{"resize":"stretch"}]', "upload_sizes.0"],
    ['[{"crop":"middle"}]', "upload_sizes.0"],
    [JSON.stringify(Array.from({ length: 11 }, () => ({}))), "upload_sizes"],
  ])("upload_sizes such as %s are refused, and nothing is stored", async (sizes, field) => {
    const before = stored();
    const body = multipart([file("a.png", "x", "image/png"), { name: "upload_sizes", body: sizes }]);
    const answer = await send("ann", "/uploads/image", body);
    expect([answer.json.code, Object.keys(answer.json.exception_fields)]).toEqual([4, [field]]);
    expect(stored()).toEqual(before);
  });
  test("valid upload_sizes are answered with an empty list, because none are made", async () => {
    const sizes = '[{"width":100,"height":50,"resize":"crop","crop":"top"}]';
    const body = multipart([{ name: "upload_sizes", body: sizes }, file("a.png", "x", "image/png")]);
    expect((await send("ann", "/uploads/image", body)).json.upload_sizes).toEqual([]);
    expect((await upload(file("a.png", "x", "image/png"), "/uploads/image")).json).not.toHaveProperty(
      "upload_sizes",
    );
  });
  test("a user part that is no JSON object is code 4, and nothing is stored", async () => {
    const before = stored();
    const answer = await send(
      undefined,
      "/uploads/file",
      multipart([file("a.txt"), { name: "user", body: "ada" }]),
    );
    expect([answer.json.code, Object.keys(answer.json.exception_fields)]).toEqual([4, ["user"]]);
    expect(stored()).toEqual(before);
  });
  test("a client that disconnects leaves nothing stored", async () => {
    const before = stored();
    const request = http.request(h.url("/uploads/file"), {
      method: "POST",
      headers: { Authorization: h.token("ann"), "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
      agent: false,
    });
    request.on("error", () => {});
    request.write(multipart([file("a", "x".repeat(100_000))]).subarray(0, 90_000));
    while (stored().length === before.length) await new Promise((resolve) => setTimeout(resolve, 5));
    request.destroy();
    while (stored().length > before.length) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(stored()).toEqual(before);
  });
  test.each([
    [
      "allowed_file_extensions",
      { allowed_file_extensions: [".PNG", "txt"] },
      ["a.txt", "a.TXT"],
      ["a.exe", "a"],
    ],
    ["blocked_file_extensions", { blocked_file_extensions: ["exe"] }, ["a.txt"], ["a.EXE"]],
    ["allowed_mime_types", { allowed_mime_types: ["text/*"] }, ["a.txt"], ["a.pdf"]],
    ["blocked_mime_types", { blocked_mime_types: ["application/pdf"] }, ["a.txt"], ["a.pdf"]],
  ] as const)("UP-2: %s is enforced", async (rule, config, good, invalid) => {
    settings({ file_upload_config: config as never });
    const type = (name: string): string => (name.endsWith("pdf") ? "application/pdf" : "text/plain");
    for (const name of good) expect((await upload(file(name, "x", type(name)))).status).toBe(201);
    for (const name of invalid) {
      const answer = await upload(file(name, "x", type(name)));
      expect([answer.status, answer.json.exception_fields]).toEqual([400, { file: rule }]);
    }
  });
  test("images follow the image configuration, also on the file route", async () => {
    settings({ image_upload_config: { blocked_file_extensions: ["png"] } });
    expect((await upload(file("a.png", "x", "image/png"))).json.code).toBe(4);
    expect((await upload(file("a.png", "x", "image/png"), "/uploads/image")).json.code).toBe(4);
    expect((await upload(file("a.png", "x", "text/plain"))).status).toBe(201);
  });
});

describe("serving", () => {
  test("needs no token, and headers prevent a browser from running a file", async () => {
    const { file: url } = (await upload(file("page.html", "<script>1</script>", "text/html"))).json;
    const got = await httpRequest(url);
    expect(got.headers).toMatchObject({
      "content-type": "text/html",
      "content-length": "18",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-disposition": "attachment; filename*=UTF-8''page.html",
    });
    const head = await httpRequest(url, { method: "HEAD" });
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", "18"]);
  });
  test.each([
    ["a.png", "image/png", "inline"],
    ["a.mp4", "video/mp4", "inline"],
    ["a.svg", "image/svg+xml", "attachment"],
    ["a.pdf", "application/pdf", "attachment"],
  ])("UP-5: %s (%s) is served as %s", async (name, type, how) => {
    const { file: url } = (await upload(file(name, "x", type))).json;
    expect((await httpRequest(url)).headers["content-disposition"]).toBe(`${how}; filename*=UTF-8''${name}`);
  });
  test("a forged or changed URL is refused and returns no bytes", async () => {
    const one = new URL((await upload(file("one.txt", "first secret"))).json.file);
    const two = new URL((await upload(file("two.txt", "second secret"))).json.file);
    const change = (edit: (url: URL) => void): string => {
      const url = new URL(one);
      edit(url);
      return url.href;
    };
    const sig = one.searchParams.get("sig")!;
    const cases = [
      change((url) => url.searchParams.delete("sig")),
      change((url) => url.searchParams.delete("Expires")),
      change((url) => url.searchParams.set("sig", "A".repeat(43))),
      change((url) => url.searchParams.set("sig", sig.slice(0, -2))),
      change((url) => url.searchParams.set("Expires", "9999999999")),
      change((url) => url.searchParams.set("Expires", "1e12")),
      change((url) => (url.pathname = two.pathname)),
      change((url) => (url.pathname = url.pathname.replace("one", "One"))),
      change((url) => (url.pathname = "/files/../provider.db")),
      `${h.provider.url}/files/%2e%2e/secret?Expires=9999999999&sig=${sig}`,
      `${h.provider.url}/files/`,
    ];
    for (const url of cases) {
      const got = await httpRequest(url);
      expect([url, got.status === 403 || got.status === 404]).toEqual([url, true]);
      expect(got.text).not.toContain('secret"');
      expect(got.json.code).toBeGreaterThan(0);
    }
    expect((await httpRequest(one.href)).text).toBe("first secret");
  });
  test("a URL expires, and is renewed wherever it is shown (UP-5)", async () => {
    const { file: url } = (await upload(file("pic.png", "pixels", "image/png"))).json;
    h.provider.clock.advance(16 * 86_400_000);
    const expired = await httpRequest(url);
    expect([expired.status, expired.json.code]).toEqual([403, 17]);
    const echo = await h.call("ann", "POST", "/users", { attachments: [{ image_url: url }], text: url });
    const [{ image_url: renewed }] = echo.json.body.attachments;
    expect(renewed).not.toBe(url);
    expect((await httpRequest(renewed)).text).toBe("pixels");
    expect(echo.json.body.text).toBe(url);
    const forged = url.replace(/sig=.*/, `sig=${"A".repeat(43)}`);
    const again = await h.call("ann", "POST", "/users", { attachments: [{ image_url: forged }] });
    expect(again.json.body.attachments[0].image_url).toBe(forged);
    const socket = await h.connect("eye");
    h.provider.transact((emit) => emit.user("eye", { type: "shown", attachments: [{ asset_url: url }] }));
    expect((await httpRequest((await socket.event("shown")).attachments[0].asset_url)).text).toBe("pixels");
    h.provider.clock.advance(-16 * 86_400_000);
  });
});

describe("deleting (UP-6)", () => {
  const remove = (user: string | undefined, url: string, route = "/uploads/file"): Promise<Answer> =>
    h.call(user, "DELETE", route, undefined, { url });
  test("is allowed to the uploader, a channel moderator or a server, and removes the bytes", async () => {
    const before = stored().length;
    for (const [who, route] of [
      ["ann", "/uploads/file"],
      [undefined, "/uploads/image"],
      ["moderator", "/channels/team/tea/file"],
      ["ann", "/channels/team/tea/image"],
    ] as const) {
      const { file: url } = (await upload(file("a.png", "x", "image/png"), route)).json;
      const refused = await remove("otto", url, route);
      expect([refused.status, refused.json.code]).toEqual([403, 17]);
      expect((await remove(who, url, route)).status).toBe(200);
      expect([(await httpRequest(url)).status, (await remove(who, url, route)).json.code]).toEqual([404, 16]);
    }
    while (stored().length > before) await new Promise((resolve) => setImmediate(resolve));
  });
  test("an unknown or foreign URL, or one of another channel, is 404", async () => {
    const { file: url } = (await upload(file("a"), "/channels/team/tea/file")).json;
    for (const [address, route] of [
      ["http://x.example/y", "/uploads/file"],
      [url, "/uploads/file"],
      [url, "/channels/team/other/file"],
      ["/files/../../secret", "/uploads/file"],
    ] as const)
      expect((await remove("ann", address, route)).json.code).toBe(16);
    expect((await remove("ann", "", "/uploads/file")).json).toMatchObject({
      code: 4,
      exception_fields: { url: "is required" },
    });
    expect((await httpRequest(url)).status).toBe(200);
  });
});

test("a partial upload of a killed provider is removed at the next start", async () => {
  const other = await Harness.start();
  const part = path.join(other.folder, "data", "files", "00000000-0000-4000-8000-000000000000.part");
  await other.provider.close();
  writeFileSync(part, "half");
  const { assembleProvider } = await import("../../../src/provider/assemble.ts");
  const { tiny } = await import("../tiny.ts");
  const again = assembleProvider(tiny, { data: path.join(other.folder, "data") });
  expect(existsSync(part)).toBe(false);
  await again.close();
  await other.stop();
});
