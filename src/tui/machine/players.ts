/** Plays a sound file with a program of this machine: the first of several that is in PATH. */
import { spawn } from "node:child_process";
import { withoutSecrets } from "../../config/child-env.ts";
import type { Env } from "../../config/paths.ts";
import { findProgram } from "../../config/programs.ts";
import type { Player } from "../sounds/sounds.ts";

/** The programs, and how each plays one local file and nothing that the file refers to. */
const PLAYERS: readonly (readonly [name: string, args: (file: string) => string[]])[] = [
  [
    "mpv",
    (file) => [
      "--no-config",
      "--no-video",
      "--no-terminal",
      "--ytdl=no",
      "--load-scripts=no",
      "--access-references=no",
      "--",
      file,
    ],
  ],
  [
    "ffplay",
    (file) => ["-nodisp", "-autoexit", "-loglevel", "quiet", "-protocol_whitelist", "file", "-i", file],
  ],
  ["afplay", (file) => [file]],
];

/** Undefined if none of them is installed. The file's path is an argument of its own: nothing reaches a shell. */
export function findPlayer(env: Env): Player | undefined {
  for (const [name, args] of PLAYERS) {
    const program = findProgram(env, name);
    if (program === undefined) continue;
    return {
      name,
      play(file) {
        const child = spawn(program, args(file), { stdio: "ignore", env: withoutSecrets(env) });
        return {
          stop: () => void child.kill(),
          ended: new Promise((resolve) => {
            child.on("error", () => resolve(false));
            child.on("exit", (code) => resolve(code === 0));
          }),
        };
      },
    };
  }
  return undefined;
}
