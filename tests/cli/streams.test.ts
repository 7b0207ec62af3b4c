/** The standard streams: reading ends when the run is cancelled, writing leaves no listeners, and spooled files are named by their content. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import { spoolInput } from "../../src/cli/base/spool.ts";
import { readLines, readText, write, type InputStream } from "../../src/cli/base/stdio.ts";

test.each([readText, readLines])(
  "%o ends at once when the run is cancelled while it waits for input",
  async (read) => {
    const input = new PassThrough();
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _ of read(input as InputStream, stop.signal));
    })();
    stop.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  },
);

test("writes that have to wait leave no listeners", async () => {
  const slow = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => setImmediate(done) });
  const before = slow.listenerCount("close");
  for (let n = 0; n < 20; n++) await write(slow, "more than fits\n");
  expect(slow.listenerCount("close")).toBe(before);
});

test.each([
  ["text", Buffer.from("grüße\n"), "stdin.txt"],
  ["a character cut at the end of the examined bytes", Buffer.from(`${"x".repeat(4095)}ü`), "stdin.txt"],
  ["nothing", Buffer.alloc(0), "stdin.txt"],
  ["a zero byte", Buffer.from("a\0b"), "stdin.bin"],
  ["invalid UTF-8", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]), "stdin.bin"],
])("%s is spooled under the right name", async (_, bytes, name) => {
  const { signal } = new AbortController();
  const { file, remove } = await spoolInput(Readable.from([bytes]) as InputStream, { signal });
  expect([path.basename(file), readFileSync(file)]).toEqual([name, bytes]);
  remove();
});

test("an input that never ends is refused at the limit, and what was copied of it is removed", async () => {
  function* endless(): Iterable<Buffer> {
    for (;;) yield Buffer.alloc(2 ** 20);
  }
  const folder = mkdtempSync(path.join(tmpdir(), "parley-endless-"));
  vi.stubEnv("TMPDIR", folder);
  const { signal } = new AbortController();
  await expect(
    spoolInput(Readable.from(endless()) as InputStream, { signal, maxBytes: 3 * 2 ** 20 }),
  ).rejects.toMatchObject({ exit: 7, message: "The file is larger than 3 MiB." });
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
