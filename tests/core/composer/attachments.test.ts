/** The files of a composition: slots, checks before anything is sent, retry, removal, and the exact words (specification/attachments.md §5.1). */
import { describe, expect, test } from "vitest";
import { AttachmentComposer, LOCAL_ID_MISSING } from "../../../src/core/composer/attachments.ts";
import type { Upload } from "../../../src/core/core.ts";
import { LocalError, TransportError } from "../../../src/model/errors.ts";
import type { UploadSource } from "../../../src/core/base/ports.ts";
import {
  FILE_REQUIRED,
  UPLOAD_BLOCKED,
  UPLOAD_FAILED,
  type TransferOptions,
} from "../../../src/core/uploads/uploads.ts";
import type { BlockReason, UploadedFile } from "../../../src/wire/entities/attachment.ts";
import { fixedRandom } from "../../support/virtual-clock.ts";
import { channel, CID, subject } from "../state/world.ts";

const settle = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise<void>((done) => setImmediate(done));
};
const uploadedFile: UploadedFile = { file: "http://f/x", thumb_url: "http://f/t", duration: "9.00ms" };

interface Transfer {
  name: string;
  options: TransferOptions;
  resolve(answer: UploadedFile): void;
  reject(error: Error): void;
}

function composer(state = channel()) {
  const { machine } = subject(state);
  const transfers: Transfer[] = [];
  const notices: { level: string; text: string; reason?: string; origin?: string }[] = [];
  const fake = {
    block: undefined as BlockReason | undefined,
    checks: 0,
    ask: async (): Promise<void> => {},
    prepare: async (file: string) => ({
      source: { name: file.slice(file.lastIndexOf("/") + 1), size: 7, mimeType: "image/png" } as UploadSource,
      attachment: { type: "image", title: file, mime_type: "image/png", file_size: 7 },
    }),
  };
  const attachments = new AttachmentComposer({
    place: { cid: CID },
    uploads: {
      checkWrite: () => fake.ask(),
      prepare: (file) => fake.prepare(file),
      findBlock: async () => {
        fake.checks += 1;
        return fake.block;
      },
      transfer(cid, source, options = {}) {
        expect(cid).toBe(CID);
        const { promise, resolve, reject } = Promise.withResolvers<UploadedFile>();
        transfers.push({ name: source.name, options, resolve, reject });
        options.signal?.addEventListener("abort", () =>
          reject(new TransportError("ERR_CANCELED", "cancelled")),
        );
        options.started?.();
        return promise;
      },
    },
    random: fixedRandom(),
    state: machine.state,
    notify: (notice) => notices.push(notice as never),
  });
  const states = (): string[] => attachments.state().uploads.map(({ state: each }) => each);
  const first = (): Upload => attachments.state().uploads[0]!;
  return { attachments, transfers, notices, fake, states, first };
}

test("R-ATT-1: an upload is pending, then uploading with progress, then finished", async () => {
  const c = composer();
  const done = c.attachments.add(["/home/tea.png"]);
  expect(c.first()).toMatchObject({ state: "pending", name: "tea.png" });
  await settle();
  expect(c.first()).toMatchObject({ state: "uploading", sent: 0, total: 7 });
  c.transfers[0]!.options.progress!(3, 20);
  expect(c.first()).toMatchObject({ state: "uploading", sent: 3, total: 20 });
  c.transfers[0]!.resolve(uploadedFile);
  await done;
  expect(c.first()).toMatchObject({ state: "finished", sent: 20 });
  expect(c.notices).toEqual([]);
});

test("R-ATT-2: a file that the check blocks is not uploaded, and stays blocked until it is removed", async () => {
  const c = composer();
  c.fake.block = "blocked_mime_types";
  await c.attachments.add(["tea.png"]);
  expect(c.first()).toMatchObject({ state: "blocked", reason: "blocked_mime_types" });
  expect(c.transfers).toEqual([]);
  c.fake.block = undefined;
  await c.attachments.retry(c.first().localId);
  expect(c.states()).toEqual(["blocked"]);
  expect(c.fake.checks).toBe(1);
  c.attachments.remove(c.first().localId);
  expect(c.states()).toEqual([]);
});

describe("what is asked before the first byte of a file", () => {
  const asking = (c: ReturnType<typeof composer>, answer: Promise<void>): Promise<string> =>
    c.attachments
      .attach(["/home/a.png", "/home/b.png"], { beforeBytes: () => answer })
      .then(() => "attached")
      .catch((error: unknown) => (error as Error).message);

  test("is waited for", async () => {
    const c = composer();
    const { promise, resolve } = Promise.withResolvers<void>();
    void asking(c, promise);
    await settle();
    expect(c.transfers).toEqual([]);
    resolve();
    await settle();
    expect(c.transfers.length).toBeGreaterThan(0);
  });

  test("ends the upload when it is refused, before anything is sent", async () => {
    const c = composer();
    expect(await asking(c, Promise.reject(new Error("not here")))).toContain("not here");
    expect(c.transfers).toEqual([]);
  });
});

describe("R-ATT-3: slots and capability", () => {
  test("every file takes one of ten slots whatever its state; files beyond the last slot are left out and named in a notice", async () => {
    const c = composer();
    c.fake.block = "size_limit";
    await c.attachments.add(["a", "b", "c"]);
    expect(c.attachments.state().slots).toBe(7);
    c.fake.block = undefined;
    void c.attachments.add(Array.from({ length: 9 }, (_, n) => `/tmp/${n}.png`));
    await settle();
    expect(c.attachments.state()).toMatchObject({ slots: 0 });
    expect(c.attachments.state().uploads.map(({ name }) => name)).toEqual([
      ..."abc",
      ..."0123456".split("").map((n) => `${n}.png`),
    ]);
    expect(c.notices.at(-1)).toMatchObject({ level: "error", reason: "left out: 7.png, 8.png" });
    c.attachments.remove(c.first().localId);
    expect(c.attachments.state().slots).toBe(1);
    c.attachments.clear();
  });
  test("no file is attached without the capability upload-file or with uploads switched off", async () => {
    const held = channel();
    for (const change of [{ own_capabilities: ["send-message"] }, { config: { uploads: false } as never }]) {
      const c = composer({ ...held, channel: { ...held.channel, ...change } });
      await c.attachments.add(["a"]);
      expect(c.states()).toEqual([]);
      expect(c.notices).toMatchObject([{ level: "error" }]);
    }
    const c = composer({ ...held, channel: { ...held.channel, own_capabilities: ["upload-file"] } });
    void c.attachments.add(["a"]);
    await settle();
    expect(c.states()).toHaveLength(1);
    c.attachments.clear();
  });
});

describe("R-ATT-4: every failure has a fixed text and the level error", () => {
  test('a failed upload says "Error uploading attachment" with its reason', async () => {
    const c = composer();
    const done = c.attachments.add(["a"]);
    await settle();
    c.transfers[0]!.reject(new TransportError("ERR_NETWORK", "no answer"));
    await done;
    expect(UPLOAD_FAILED).toBe("Error uploading attachment");
    expect(c.notices).toEqual([
      { level: "error", text: "Error uploading attachment", reason: "no answer", origin: c.first().localId },
    ]);
    expect(c.first()).toMatchObject({ state: "failed", reason: "no answer" });
  });
  test('a blocked file says "The attachment upload was blocked" with its reason', async () => {
    const c = composer();
    c.fake.block = "allowed_file_extensions";
    await c.attachments.add(["a"]);
    expect(UPLOAD_BLOCKED).toBe("The attachment upload was blocked");
    expect(c.notices).toMatchObject([
      { level: "error", text: "The attachment upload was blocked", reason: "allowed_file_extensions" },
    ]);
  });
  test.each([[[]], [[" "]], [["a", ""]]])(
    "File is required for upload attachment: %j",
    async (files: string[]) => {
      const c = composer();
      await expect(c.attachments.add(files)).rejects.toThrow(new LocalError(FILE_REQUIRED));
      expect(c.notices).toMatchObject([{ level: "error", text: "File is required for upload attachment" }]);
      expect(c.states()).toEqual([]);
    },
  );
  test('a blank local id is refused with "Local upload attachment missing local id"', async () => {
    const c = composer();
    await expect(c.attachments.retry(" ")).rejects.toThrow(LOCAL_ID_MISSING);
    expect(() => c.attachments.remove("")).toThrow("Local upload attachment missing local id");
    expect(c.notices).toHaveLength(2);
    expect(c.notices[0]).toMatchObject({ level: "error", text: "Local upload attachment missing local id" });
  });
  test("a file that cannot be read is reported and not attached; a failed upload whose file has vanished stays failed", async () => {
    const c = composer();
    const done = c.attachments.add(["a"]);
    await settle();
    c.transfers[0]!.reject(new Error("reset"));
    await done;
    c.fake.prepare = () => Promise.reject(new LocalError("The file a does not exist"));
    await c.attachments.retry(c.first().localId);
    await c.attachments.add(["b"]);
    expect(c.states()).toEqual(["failed"]);
    expect(c.notices.slice(-2)).toMatchObject([
      { level: "error", text: "The file a does not exist" },
      { level: "error", text: "The file a does not exist" },
    ]);
  });
});

test("R-ATT-1, R-ATT-2: a retry checks the file again and uploads or blocks it; two retries at once make one upload", async () => {
  const c = composer();
  const done = c.attachments.add(["a"]);
  await settle();
  c.transfers[0]!.reject(new Error("reset"));
  await done;
  const { localId } = c.first();
  const twice = [c.attachments.retry(localId), c.attachments.retry(localId)];
  await settle();
  expect(c.states()).toEqual(["uploading"]);
  expect(c.transfers).toHaveLength(2);
  expect(c.first().reason).toBeUndefined();
  c.transfers[1]!.reject(new Error("reset"));
  await Promise.all(twice);
  c.fake.block = "size_limit";
  await c.attachments.retry(localId);
  expect(c.first()).toMatchObject({ state: "blocked", reason: "size_limit" });
  expect(c.transfers).toHaveLength(2);
});

test("R-ATT-6: removing an uploading file aborts its request; a late answer is ignored and nothing is shown", async () => {
  const c = composer();
  const done = c.attachments.add(["a", "b"]);
  await settle();
  const removed = c.transfers[0]!;
  c.attachments.remove(c.first().localId);
  expect(removed.options.signal!.aborted).toBe(true);
  removed.options.progress?.(5, 7);
  removed.resolve(uploadedFile);
  c.transfers[1]!.resolve(uploadedFile);
  await done;
  expect(c.attachments.state().uploads).toMatchObject([{ name: "b", state: "finished" }]);
  expect(c.notices).toEqual([]);
});

test("R-ATT-6: a file removed during its check is never sent", async () => {
  const c = composer();
  const done = c.attachments.add(["a"]);
  c.attachments.remove(c.first().localId);
  await done;
  expect(c.transfers).toEqual([]);
  expect(c.states()).toEqual([]);
});

test("R-ATT-5, R-ATT-7: the sent attachment has its address and no local field; failed and blocked files are left out", async () => {
  const c = composer();
  const done = c.attachments.add(["a", "b"]);
  await settle();
  c.transfers[0]!.resolve(uploadedFile);
  c.transfers[1]!.reject(new Error("reset"));
  await done;
  c.fake.block = "size_limit";
  await c.attachments.add(["c"]);
  expect(c.states()).toEqual(["finished", "failed", "blocked"]);
  expect(c.attachments.draftFiles().attachments).toEqual([
    {
      type: "image",
      title: "a",
      mime_type: "image/png",
      file_size: 7,
      image_url: "http://f/x",
      thumb_url: "http://f/t",
    },
  ]);
});

describe("attach, which scripts use", () => {
  test("attach uploads one file after the other, reports progress and returns them all", async () => {
    const c = composer();
    const reported: string[] = [];
    const done = c.attachments.attach(["a", "b"], {
      onProgress: ({ name, state }) => reported.push(`${name} ${state}`),
    });
    await settle();
    expect(c.transfers.map(({ name }) => name)).toEqual(["a"]);
    c.transfers[0]!.resolve(uploadedFile);
    await settle();
    c.transfers[1]!.resolve(uploadedFile);
    expect((await done).map(({ name, state }) => [name, state])).toEqual([
      ["a", "finished"],
      ["b", "finished"],
    ]);
    expect(reported).toEqual([
      "a pending",
      "a uploading",
      "a finished",
      "b pending",
      "b uploading",
      "b finished",
    ]);
    expect(c.notices).toEqual([]);
  });
  test("attach refuses more files than there are slots before it checks or sends any", async () => {
    const c = composer();
    const files = Array.from({ length: 11 }, (_, n) => `${n}`);
    await expect(c.attachments.attach(files)).rejects.toThrow("A message can have at most 10 files");
    expect([c.states(), c.transfers, c.fake.checks]).toEqual([[], [], 0]);
  });
  test("attach stops at the first file that is unreadable, blocked, failed, aborted or rejected by the write check", async () => {
    const c = composer();
    c.fake.prepare = () => Promise.reject(new LocalError("The file a does not exist"));
    await expect(c.attachments.attach(["a", "b"])).rejects.toThrow("The file a does not exist");
    expect(c.states()).toEqual([]);

    const blocked = composer();
    blocked.fake.block = "size_limit";
    await expect(blocked.attachments.attach(["a", "b"])).rejects.toMatchObject({
      sentence: UPLOAD_BLOCKED,
      upload: { name: "a", reason: "size_limit" },
    });
    const attachError = async (error: Error): Promise<unknown> => {
      const d = composer();
      const done = d.attachments.attach(["a", "b"]);
      await settle();
      d.transfers[0]!.reject(error);
      return done.catch((thrown: unknown) => thrown);
    };
    const refused = new TransportError("ERR_NETWORK", "no answer");
    expect(await attachError(refused)).toMatchObject({ sentence: UPLOAD_FAILED, cause: refused });
    const unwritten = composer();
    const dryRun = new Error("a dry run");
    unwritten.fake.ask = () => Promise.reject(dryRun);
    await expect(unwritten.attachments.attach(["a"])).rejects.toBe(dryRun);
    expect(unwritten.transfers).toEqual([]);

    const aborted = composer();
    const abort = new AbortController();
    const done = aborted.attachments.attach(["a", "b"], { signal: abort.signal });
    await settle();
    abort.abort();
    await expect(done).rejects.toMatchObject({ code: "ERR_CANCELED" });
    expect(aborted.notices).toEqual([]);
  });
});
