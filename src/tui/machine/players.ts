/** Plays a sound file with a program of this machine: the first of several that is in PATH. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { withoutSecrets } from "../../config/child-env.ts";
import type { Player } from "../sounds/sounds.ts";

type Env = Readonly<Record<string, string | undefined>>;

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

/** The path of a program that may be run; undefined if no folder of PATH has it. */
function programPath(name: string, { PATH = "" }: Env): string | undefined {
  const endings = process.platform === "win32" ? [".exe"] : [""];
  return PATH.split(path.delimiter)
    .filter(path.isAbsolute)
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Undefined if none of them is installed. The file's path is an argument of its own: nothing reaches a shell. */
export function findPlayer(env: Env): Player | undefined {
  for (const [name, args] of PLAYERS) {
    const program = programPath(name, env);
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
