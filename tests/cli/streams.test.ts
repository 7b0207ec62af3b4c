/** The standard streams: reading ends when the run is cancelled, writing leaves no listeners, and spooled files are named by their content. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
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
  const { file, remove } = await spoolInput(
    Readable.from([bytes]) as InputStream,
    new AbortController().signal,
  );
  expect([path.basename(file), readFileSync(file)]).toEqual([name, bytes]);
  remove();
});
