/** The recorder of this machine: the first one in PATH, judged by a stand-in that writes a file until it is interrupted. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findRecorder } from "../../../src/tui/machine/recorders.ts";
import { readWave } from "../../../src/tui/sounds/wave.ts";
import { until } from "../../support/home.ts";
import { tone, waveFile } from "../../support/wave.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-recorders-"));
  mkdirSync(path.join(folder, "bin"));
  writeFileSync(path.join(folder, "sound.wav"), waveFile(tone(3)));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes its arguments, one a line, and the sound into the file of the last one; ends when it is interrupted. */
function install(name: string, then = `trap 'exit 1' INT; while :; do sleep 0.05; done`): void {
  const script = `#!/bin/sh
for one in "$@"; do printf '%s\\n' "$one"; last=$one; done > '${folder}/args'
cat '${folder}/sound.wav' > "$last"
${then}
`;
  writeFileSync(path.join(folder, "bin", name), script);
  chmodSync(path.join(folder, "bin", name), 0o755);
}
const env = (): { PATH: string } => ({ PATH: `${path.join(folder, "bin")}:/usr/bin:/bin` });
const args = (): string[] => readFileSync(path.join(folder, "args"), "utf8").trimEnd().split("\n");

test("arecord comes before ffmpeg, and without both there is none", () => {
  const bin = { PATH: path.join(folder, "bin") };
  expect(findRecorder(bin)).toBeUndefined();
  install("ffmpeg");
  expect(findRecorder(bin, "linux")?.name).toBe("ffmpeg");
  // Its microphones have no name there that is always the same.
  expect(findRecorder(bin, "win32")).toBeUndefined();
  install("arecord");
  expect(findRecorder(bin, "linux")?.name).toBe("arecord");
});

test.each(["arecord", "ffmpeg"])(
  "%s records into one file, given as one argument, until it is stopped",
  async (name) => {
    install(name);
    const file = path.join(folder, "voice '; touch owned; 09.41.wav");
    const running = findRecorder(env(), "linux")!.record(file, 300);
    await until("the file", () => existsSync(file) && readFileSync(file).length > 90_000);
    running.stop();
    await running.ended;
    expect(args().at(-1)).toBe(file);
    expect(args()).toContain("300");
    expect((await readWave(file))!.duration).toBe(3);
  },
);

test("one that cannot record leaves no recording", async () => {
  install("arecord", `: > "$last"; exit 1`);
  const file = path.join(folder, "a.wav");
  await findRecorder(env(), "linux")!.record(file, 300).ended;
  expect(await readWave(file)).toBeUndefined();
});
