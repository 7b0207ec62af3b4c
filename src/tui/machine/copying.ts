/** Hands a copied text to the programs that reach a clipboard where the terminal takes none from OSC 52. */
import { spawn } from "node:child_process";
import { withoutSecrets } from "../../config/child-env.ts";
import type { Env } from "../../config/paths.ts";
import { findProgram } from "../../config/programs.ts";

type CommandLine = readonly [name: string, ...args: string[]];

/** tmux ignores OSC 52 from a program unless `set-clipboard` is `on`; told itself, it also passes the text on outwards. */
const TMUX: CommandLine = ["tmux", "load-buffer", "-w", "-"];

/** The desktop's program; over SSH there is none, as its clipboard would be that of another machine. */
function desktopProgram(env: Env, platform: NodeJS.Platform): CommandLine | undefined {
  if (env.SSH_CONNECTION || env.SSH_TTY) return undefined;
  if (platform === "darwin") return ["pbcopy"];
  if (env.WAYLAND_DISPLAY) return ["wl-copy"];
  return env.DISPLAY ? ["xclip", "-selection", "clipboard", "-in"] : undefined;
}

/** The text goes to standard input: no argument and no list of processes has it. A failure leaves what OSC 52 has done. */
function give(program: string, args: readonly string[], text: string, env: Env): void {
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"], env: withoutSecrets(env) });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  child.unref();
}

/** Besides OSC 52, which alone reaches the machine of the terminal over SSH. */
export function copyWithPrograms(
  text: string,
  env: Env = process.env,
  platform: NodeJS.Platform = process.platform,
): void {
  for (const line of [env.TMUX ? TMUX : undefined, desktopProgram(env, platform)]) {
    const [name, ...args] = line ?? [];
    const program = name === undefined ? undefined : findProgram(env, name);
    if (program !== undefined) give(program, args, text, env);
  }
}
