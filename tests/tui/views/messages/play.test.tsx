/** Voice messages: a key plays one and stops it, the card says how far it is, and what is asked or said before. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { FakeSounds } from "../../../support/fake-sounds.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

let m: Mounted;
let fake: FakeSounds;
afterEach(() => m.unmount());

const voice = (title: string, more: object = {}) => ({
  type: "voiceRecording",
  title,
  asset_url: `https://files.example/${title}`,
  duration: 31,
  waveform_data: [0.1, 0.5, 0.9, 0.4],
  ...more,
});

async function show(attachments: object[] = [voice("note.aac")], columns = 100): Promise<void> {
  fake = new FakeSounds();
  const messages = [
    message("m0", "ana", "words only"),
    message("m1", "bo", "", { minute: 1, attachments: attachments as never }),
  ];
  m = await mount(new FakeCore(stateOf([channel("general", { messages })])), {
    columns,
    rows: 24,
    sounds: fake.sounds,
  });
  await m.press("esc");
}
const pass = async (seconds: number): Promise<void> => {
  await fake.clock.advance(seconds * 1000);
  await m.settle();
};
const told = (): string =>
  m.core
    .calls("notify")
    .map(([notice]) => (notice as { text: string }).text)
    .at(-1)!;

test("b plays it, the card counts while it plays, and says that it ended", async () => {
  await show();
  expect(m.line(23)).toContain("b play");
  await m.press("b");
  expect(fake.played).toEqual(["/cache/note.aac"]);
  expect(m.text()).toContain("playing, 0:00 of 0:31");
  await pass(7);
  expect(m.text()).toContain("playing, 0:07 of 0:31");
  fake.end(true);
  await m.settle();
  expect(m.text()).toContain("ended · 0:31");
  expect(fake.clock.timers).toEqual([]);
});

test("the same key stops it, from another message, too, and another one ends the first", async () => {
  await show([voice("one.aac")]);
  await m.press("b", "b");
  expect(fake.stopped).toBe(1);
  expect(m.text()).not.toContain("playing");
  await m.press("b");
  expect(m.text()).toContain("playing");
  await m.press("k", "b");
  expect(fake.stopped).toBe(2);
  expect(m.text()).not.toContain("playing");
  await m.press("b");
  expect(told()).toBe("That message has no sound.");
});

test("while a sound plays the hint of its key says stop, on its message and on those without sounds", async () => {
  await show();
  await m.press("b");
  expect(m.line(23)).toContain("b stop");
  await m.press("k");
  expect(m.line(23)).toContain("b stop");
  await m.press("j");
  fake.end(true);
  await m.settle();
  expect(m.line(23)).toContain("b play");
  await m.press("k");
  expect(m.line(23)).not.toMatch(/b (play|stop)/);
});

test("of several sounds one is chosen, and one without loudness has its state in a row", async () => {
  await show([
    voice("one.aac"),
    { type: "audio", title: "song.ogg", asset_url: "https://files.example/song.ogg" },
  ]);
  await m.press("b", "down", "enter");
  expect(fake.played).toEqual(["/cache/song.ogg"]);
  await pass(65);
  expect(m.text()).toContain("playing, 1:05");
  fake.end(false);
  await m.settle();
  expect(told()).toBe("mpv could not play song.ogg.");
  expect(m.text()).not.toContain("playing,");
});

test("a host that is not known is asked about first, and nothing is fetched or played without a yes", async () => {
  await show([voice("far.aac", { asset_url: "https://far.example/far.aac" })]);
  await m.press("b");
  expect(m.text()).toContain("Fetch it from far.example?");
  await m.press("esc");
  expect(fake.played).toEqual([]);
  await m.press("b", "enter");
  expect(fake.played).toEqual(["/cache/far.aac"]);
});

test("without a player a sentence says what to install; an address that is not safe is no sound", async () => {
  await show();
  fake.player = undefined;
  await m.press("b");
  expect(told()).toBe("Playing needs a program: install mpv, or ffplay (it comes with FFmpeg).");
  m.unmount();
  await show([voice("bad.aac", { asset_url: "file:///etc/passwd" })]);
  await m.press("b");
  expect(told()).toBe("That message has no sound.");
});

test("at 40 × 10 the state has its place beside fewer bars", async () => {
  await show([voice("note.aac", { waveform_data: Array.from({ length: 60 }, () => 0.5) })]);
  await m.resize(40, 10);
  await m.press("b");
  expect(m.text()).toMatch(/█+ playing, 0:00 of 0:31/);
});
