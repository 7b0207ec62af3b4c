/** A voice message is recorded: what is shown meanwhile, how it ends, and what is attached. */
import { writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { deleteTempFiles } from "../../../../src/tui/machine/temp-files.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { FakeSounds } from "../../../support/fake-sounds.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";
import { tone, waveFile } from "../../../support/wave.ts";

let m: Mounted;
let fake: FakeSounds;
let files: string[] = [];
let stopped = 0;
/** Ends the program by itself. */
let end: () => void;
afterEach(() => {
  m.unmount();
  deleteTempFiles();
});

async function show({ seconds = 7, recorder = true, size = { columns: 100, rows: 24 } } = {}): Promise<void> {
  fake = new FakeSounds();
  [files, stopped] = [[], 0];
  if (recorder)
    fake.recorder = {
      name: "arecord",
      record(file) {
        files.push(file);
        if (seconds > 0) writeFileSync(file, waveFile(tone(seconds)));
        const { promise, resolve } = Promise.withResolvers<void>();
        end = resolve;
        return { stop: () => (stopped++, resolve()), ended: promise };
      },
    };
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m0", "ana", "hello")] })]));
  m = await mount(core, { ...size, sounds: fake.sounds });
}
const pass = async (ms: number): Promise<void> => {
  await fake.clock.advance(ms);
  await m.settle();
};
const uploads = () => m.core.composer({ cid: "messaging:general" }).attachments.state().uploads;
const told = (): string[] => m.core.calls("notify").map(([notice]) => (notice as { text: string }).text);

test("Alt-V records and counts, and Enter stops it and attaches a voice message that waits for the send", async () => {
  await show();
  await m.press("A-v");
  expect(m.text()).toContain("Recording a voice message");
  expect(m.text()).toMatch(/Stop and attach it +0:00 of 5:00/);
  await pass(3000);
  expect(m.text()).toMatch(/Stop and attach it +0:03 of 5:00/);
  expect(m.line(23)).toMatch(/⏎ .*Esc close/);
  await m.press("enter");
  await expect.poll(() => uploads().length).toBe(1);
  expect(stopped).toBe(1);
  expect(uploads()[0]).toMatchObject({
    held: true,
    attachment: { type: "voiceRecording", duration: 7, waveform_data: expect.arrayContaining([1]) },
  });
  expect(uploads()[0]!.name).toMatch(/^voice \d\d\.\d\d\.wav$/);
  expect(m.screen.popups).toEqual([]);
  expect(fake.clock.timers).toEqual([]);
});

test.each([["esc"], ["down", "enter"]])("%s discards it", async (...keys) => {
  await show();
  await m.press("A-v");
  await pass(2000);
  await m.press(...keys);
  await m.settle();
  expect([stopped, uploads(), m.screen.popups]).toEqual([1, [], []]);
  expect(told()).toEqual(["The recording was discarded."]);
  expect(fake.clock.timers).toEqual([]);
});

test("at its longest it ends by itself, and is kept", async () => {
  await show({ seconds: 1 });
  await m.press("A-v");
  end();
  await expect.poll(() => uploads().length).toBe(1);
  await m.settle();
  expect(m.screen.popups).toEqual([]);
});

test("a program that records nothing is named", async () => {
  await show({ seconds: 0 });
  await m.press("A-v");
  end();
  await expect.poll(told).toEqual(["arecord could not record: is there a microphone?"]);
  expect(uploads()).toEqual([]);
});

test("without a program a sentence says what to install", async () => {
  await show({ recorder: false });
  await m.press("A-v");
  expect(m.text()).not.toContain("Stop and attach");
  expect(told()).toEqual(["Recording needs a program: install arecord (alsa-utils), or ffmpeg."]);
});

test("what plays ends first, and leaving the screen ends the recording", async () => {
  await show();
  const playing = fake.sounds.play({ url: "https://files.example/a.wav", name: "a" }, fake.player!);
  await m.settle();
  await m.press("A-v");
  expect(fake.stopped).toBe(1);
  fake.end(false);
  await playing;
  fake.sounds.stop();
  expect(stopped).toBe(1);
});
