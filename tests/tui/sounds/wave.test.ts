/** WAV files: their length and loudness, also of those whose recorder was interrupted. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readWave } from "../../../src/tui/sounds/wave.ts";
import { tone, waveFile } from "../../support/wave.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-wave-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(bytes: Uint8Array) {
  const file = path.join(folder, "a.wav");
  writeFileSync(file, bytes);
  return readWave(file);
}

test("a recording has its length and a waveform whose loudest part is 1", async () => {
  const wave = (await read(waveFile(tone(2.5))))!;
  expect(wave.duration).toBe(2.5);
  expect(wave.waveform).toHaveLength(60);
  expect(Math.max(...wave.waveform)).toBe(1);
  expect(wave.waveform[0]).toBeLessThan(0.1);
  expect(wave.waveform.every((one) => one >= 0 && one <= 1)).toBe(true);
});

test("silence stays quiet, and a short recording has a part for each sample", async () => {
  expect((await read(waveFile([0, 0, 0, 0])))!.waveform).toEqual([0, 0, 0, 0]);
  const quiet = await read(waveFile(Array.from({ length: 600 }, () => 300)));
  expect(Math.max(...quiet!.waveform)).toBeLessThan(0.3);
});

test.each([0xff_ff_ff_ff, 0x7f_ff_ff_ff])(
  "a file whose length was never written (%i) has what is there",
  async (saidBytes) => {
    expect((await read(waveFile(tone(1), { saidBytes })))!.duration).toBe(1);
  },
);

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a header alone", waveFile([])],
  ["another kind of file", Buffer.from("OggS and so on, and more of it")],
  ["a header that is cut", waveFile(tone(1)).subarray(0, 30)],
])("%s is no recording", async (_, bytes) => {
  expect(await read(bytes)).toBeUndefined();
});
