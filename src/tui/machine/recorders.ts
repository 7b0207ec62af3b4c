/** Records the microphone into a WAV file with a program of this machine: the first of several that is in PATH. */
import { spawn } from "node:child_process";
import { withoutSecrets } from "../../config/child-env.ts";
import type { Env } from "../../config/paths.ts";
import { findProgram } from "../../config/programs.ts";
import type { Recorder } from "../sounds/recording.ts";

/** Enough for a voice, in a form that every player knows. */
const RATE = "16000";

/** The default microphone, as ffmpeg names it; on other systems it has no name that is always there. */
const MICROPHONES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["-f", "pulse", "-i", "default"],
  darwin: ["-f", "avfoundation", "-i", ":default"],
};

type Arguments = (file: string, seconds: string) => readonly string[];

function recordersOf(platform: NodeJS.Platform): readonly (readonly [name: string, args: Arguments])[] {
  const microphone = MICROPHONES[platform];
  const ffmpeg: Arguments = (file, seconds) => [
    "-nostdin",
    "-loglevel",
    "quiet",
    ...microphone!,
    "-t",
    seconds,
    "-ac",
    "1",
    "-ar",
    RATE,
    "-c:a",
    "pcm_s16le",
    "-y",
    file,
  ];
  return [
    [
      "arecord",
      (file, seconds) => ["-q", "-t", "wav", "-f", "S16_LE", "-r", RATE, "-c", "1", "-d", seconds, file],
    ],
    ...(microphone ? ([["ffmpeg", ffmpeg]] as const) : []),
  ];
}

/** Undefined if none of them is installed. The file's path is an argument of its own: nothing reaches a shell. */
export function findRecorder(env: Env, platform = process.platform): Recorder | undefined {
  for (const [name, args] of recordersOf(platform)) {
    const program = findProgram(env, name);
    if (program === undefined) continue;
    return {
      name,
      record(file, seconds) {
        const child = spawn(program, args(file, String(seconds)), {
          stdio: "ignore",
          env: withoutSecrets(env),
        });
        return {
          // Both finish the header of the file then.
          stop: () => void child.kill("SIGINT"),
          // The file says whether it was recorded: a program that is interrupted may end with any code.
          ended: new Promise((resolve) => {
            child.on("error", () => resolve());
            child.on("exit", () => resolve());
          }),
        };
      },
    };
  }
  return undefined;
}
