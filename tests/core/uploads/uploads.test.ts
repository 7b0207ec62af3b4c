/** Uploads as they run: rules fetched once, two at a time, progress, abort, stall, and a body whose length is right (specification/attachments.md §2, §5, §1). */
import { describe, expect, test } from "vitest";
import { createAppSettings } from "../../../src/core/features/app-settings.ts";
import type { Upload } from "../../../src/core/core.ts";
import { AttachmentComposer } from "../../../src/core/composer/attachments.ts";
import { createApiCaller } from "../../../src/core/http/caller.ts";
import { createTokens } from "../../../src/core/http/token.ts";
import type { UploadSource } from "../../../src/core/base/ports.ts";
import { multipart } from "../../../src/core/uploads/multipart.ts";
import { createUploads } from "../../../src/core/uploads/uploads.ts";
import type { UploadConfig } from "../../../src/wire/entities/attachment.ts";
import { UPLOAD_STALL } from "../../../src/wire/constants.ts";
import { signToken } from "../../../src/wire/token.ts";
import {
  errorReply,
  fakeLog,
  fakeRequests,
  jsonReply,
  type FakeAnswer,
  type FakeCall,
} from "../../support/fake-ports.ts";
import { fixedRandom, VirtualClock } from "../../support/virtual-clock.ts";

const source = (
  name = "tea.png",
  bytes = "12345",
  mimeType: string | undefined = "image/png",
): UploadSource => ({
  name,
  size: bytes.length,
  mimeType,
  async *open() {
    yield new TextEncoder().encode(bytes);
  },
  dimensions: async () => ({ width: 4, height: 3 }),
});

function setup(
  post: (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>,
  config: { image_upload_config?: UploadConfig; file_upload_config?: UploadConfig } = {},
  app: FakeAnswer = jsonReply({ app: config, duration: "" }),
  stall = UPLOAD_STALL,
) {
  const clock = new VirtualClock();
  const random = fixedRandom();
  const { port, calls } = fakeRequests(clock, {
    "GET /app": () => app,
    "POST /channels/team/eng/image": post,
    "POST /channels/team/eng/file": post,
  });
  const tokens = createTokens({ clock, random, now: () => clock.now() });
  tokens.set("mira", signToken({ user_id: "mira" }, "s"));
  const log = fakeLog();
  const caller = createApiCaller({
    unchecked: true,
    baseUrl: () => "http://p:1",
    apiKey: "k",
    clientName: "t",
    request: port,
    clock,
    random,
    log,
    tokens,
    connectionId: () => undefined,
  });
  const notices: object[] = [];
  const files = new Map<string, UploadSource>();
  const uploads = createUploads({
    caller,
    stall,
    settings: createAppSettings({ call: caller.call }).get,
    clock,
    random,
    log,
    openFile: async (file) => files.get(file) ?? source(file),
  });
  const attachments = () =>
    new AttachmentComposer({
      place: { cid: "team:eng" },
      uploads,
      random,
      state: () => ({ channels: new Map() }) as never,
      notify: (notice) => notices.push(notice),
    });
  return {
    clock,
    calls,
    attachments,
    upload: async (file: string, options: Parameters<AttachmentComposer["attach"]>[1] = {}) =>
      (await attachments().attach([file], options))[0]!,
    notices,
    files,
    count: (what: string) => calls.filter((c) => c.what === what).length,
  };
}
const stored = (): FakeAnswer => jsonReply({ file: "http://f/x", duration: "1ms" }, 201);
const gate = () => Promise.withResolvers<FakeAnswer>();

describe("the body", () => {
  test("its length is the number of bytes sent, and a file name cannot inject headers", async () => {
    const body = multipart(source('a"\r\nX: y.png', "bytes"), "B");
    const parts: Uint8Array[] = [];
    for await (const chunk of body.open()) parts.push(chunk);
    const text = Buffer.concat(parts).toString("utf8");
    expect(text.length).toBe(body.length);
    expect(text).toBe(
      '------parleyB\r\nContent-Disposition: form-data; name="file"; filename="a%22%0D%0AX: y.png"\r\n' +
        "Content-Type: image/png\r\n\r\nbytes\r\n------parleyB--\r\n",
    );
    expect(body.contentType).toBe("multipart/form-data; boundary=----parleyB");
  });
  test("an invalid type becomes application/octet-stream", async () => {
    const { open } = multipart(source("a", "b", "evil\r\nX: y"), "B");
    const chunks = await Array.fromAsync(open());
    const text = Buffer.concat(chunks).toString();
    expect(text).toContain("Content-Type: application/octet-stream\r\n");
    expect(text).not.toContain("evil");
  });
});

test("images are uploaded to /image, other files to /file, without a timeout; the rules are requested once", async () => {
  const at = setup(stored);
  const first = await at.upload("tea.png");
  at.files.set("tea.pdf", source("tea.pdf", "x", "application/pdf"));
  const second = await at.upload("tea.pdf");
  expect(first.attachment).toEqual({
    type: "image",
    title: "tea.png",
    mime_type: "image/png",
    file_size: 5,
    original_width: 4,
    original_height: 3,
    image_url: "http://f/x",
  });
  expect(second.attachment).toMatchObject({ type: "file", asset_url: "http://f/x" });
  expect(at.calls.map((c) => c.what)).toEqual([
    "GET /app",
    "POST /channels/team/eng/image",
    "POST /channels/team/eng/file",
  ]);
  expect(at.calls[1]!.request.timeout).toBe(0);
});

test("a blocked file sends no request, shows why, and stays blocked", async () => {
  const at = setup(stored, { image_upload_config: { blocked_file_extensions: [".png"] } });
  await expect(at.upload("tea.png")).rejects.toMatchObject({
    message: "The attachment upload was blocked: blocked_file_extensions",
    upload: { state: "blocked", reason: "blocked_file_extensions" },
  });
  expect(at.count("POST /channels/team/eng/image")).toBe(0);
  await at.attachments().add(["tea.png"]);
  expect(at.notices).toMatchObject([
    { level: "error", text: "The attachment upload was blocked", reason: "blocked_file_extensions" },
  ]);
});

test("without the rules only the size limit applies, and they are requested again", async () => {
  const at = setup(stored, {}, errorReply(403, 17));
  await at.upload("tea.png");
  await at.upload("tea.png");
  expect(at.count("GET /app")).toBe(2);
  at.files.set("big", { ...source("big.png"), size: 104_857_601 });
  await expect(at.upload("big")).rejects.toThrow("size_limit");
});

test("a refused upload fails with the notice of the specification", async () => {
  const at = setup(() => errorReply(413, 22, "too large"));
  await expect(at.upload("tea.png")).rejects.toMatchObject({
    message: "Error uploading attachment: too large",
    upload: { state: "failed" },
    cause: { code: 22 },
  });
  await at.attachments().add(["tea.png"]);
  expect(at.notices).toMatchObject([{ text: "Error uploading attachment", reason: "too large" }]);
});

test('a blank name is refused with "File is required for upload attachment"', async () => {
  await expect(setup(stored).upload(" ")).rejects.toThrow("File is required for upload attachment");
});

test("two uploads run at once, the third waits as pending", async () => {
  const gates = [gate(), gate(), gate()];
  let n = 0;
  const at = setup(() => gates[n++]!.promise);
  const seen: Upload["state"][] = [];
  const all = [1, 2, 3].map((k) =>
    at.upload(`${k}.png`, { onProgress: (u) => k === 3 && seen.push(u.state) }),
  );
  await at.clock.settle();
  expect(at.count("POST /channels/team/eng/image")).toBe(2);
  expect(seen).toEqual(["pending"]);
  gates[0]!.resolve(stored());
  await at.clock.settle();
  expect(at.count("POST /channels/team/eng/image")).toBe(3);
  gates[1]!.resolve(stored());
  gates[2]!.resolve(stored());
  await Promise.all(all);
  expect(seen.at(-1)).toBe("finished");
});

test("aborting a waiting upload starts no other one", async () => {
  const gates = [gate(), gate(), gate()];
  let n = 0;
  const at = setup(() => gates[n++]!.promise);
  const abort = new AbortController();
  const all = [1, 2, 3, 4].map((k) =>
    at.upload(`${k}.png`, k === 3 ? { signal: abort.signal } : {}).catch(() => "off"),
  );
  await at.clock.settle();
  abort.abort();
  expect(await all[2]).toBe("off");
  await at.clock.settle();
  const requestCount = (): number => at.count("POST /channels/team/eng/image");
  expect(requestCount()).toBe(2);
  gates[0]!.resolve(stored());
  await at.clock.settle();
  expect(requestCount()).toBe(3);
  gates[1]!.resolve(stored());
  gates[2]!.resolve(stored());
  await Promise.all(all);
});

test("30 s without progress fail an upload, and progress restarts the 30 s (specification/attachments.md §1)", async () => {
  const at = setup(() => "never");
  const done = at.upload("tea.png").catch((e: unknown) => e);
  await at.clock.settle();
  const { onProgress } = at.calls.at(-1)!.request;
  await at.clock.advance(29_000);
  onProgress?.(1, 100);
  await at.clock.advance(29_000);
  onProgress?.(1, 100);
  let settled = false;
  void done.then(() => (settled = true));
  await at.clock.advance(999);
  expect(settled).toBe(false);
  await at.clock.advance(1);
  expect(await done).toMatchObject({
    message: "Error uploading attachment: the upload stood still for 30 s",
    upload: { state: "failed", sent: 1 },
  });
  expect(at.clock.timers).toEqual([]);
});

test("without a limit an upload may stand still for as long as it takes", async () => {
  const at = setup(() => "never", undefined, undefined, 0);
  const done = at.upload("tea.png").catch((e: unknown) => e);
  await at.clock.settle();
  await at.clock.advance(3_600_000);
  expect(at.clock.timers).toEqual([]);
  expect(await Promise.race([done, "waits"])).toBe("waits");
});

test("progress reported after the answer starts no timer", async () => {
  const at = setup(() => errorReply(413, 22, "too large"));
  await expect(at.upload("tea.png")).rejects.toThrow("too large");
  const { onProgress, signal } = at.calls.at(-1)!.request;
  onProgress?.(5, 100);
  expect(at.clock.timers).toEqual([]);
  await at.clock.advance(60_000);
  expect(signal?.aborted).toBe(false);
});

test("an abort ends a running or waiting upload without a notice and frees its slot", async () => {
  const at = setup(() => "never");
  const aborts = [1, 2, 3, 4].map(() => new AbortController());
  const all = aborts.map((abort, n) =>
    at.upload(`${n}.png`, { signal: abort.signal }).catch((e: unknown) => e),
  );
  await at.clock.settle();
  aborts[3]!.abort();
  expect(await all[3]).toMatchObject({ code: "ERR_CANCELED" });
  aborts[0]!.abort();
  expect(await all[0]).toMatchObject({ code: "ERR_CANCELED" });
  await at.clock.settle();
  expect(at.count("POST /channels/team/eng/image")).toBe(3);
  expect(at.notices).toEqual([]);
  for (const abort of aborts) abort.abort();
  await Promise.all(all);
});
