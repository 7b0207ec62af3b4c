/** Runs the pager for long output: `LESS=FRX`, off in pipes, with --no-pager, with `cat` or an empty name. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { loadSettings } from "../../config/load.ts";
import { DEFAULTS } from "../../config/settings.ts";

type Env = Readonly<Record<string, string | undefined>>;

interface PagerOptions {
  env: Env;
  /** Standard output is a real terminal. */
  tty: boolean;
  /** `--no-pager` was not given. */
  wanted: boolean;
  /** The setting `pager`; without it the setting is looked up. */
  name?: string;
}

/** The program's name can be run; a line with shell words in it is left to the shell. */
function canRun(command: string, env: Env): boolean {
  const [program = ""] = command.trim().split(/\s+/);
  if (!/^[\w./+-]+$/.test(program)) return true;
  const places = program.includes("/") ? [""] : (env.PATH ?? "").split(path.delimiter);
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".com"] : [""];
  return places.some((place) =>
    endings.some((ending) => {
      try {
        accessSync(path.join(place, program + ending), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

/** Help must work where the settings cannot be read. */
function settingOf(env: Env): string {
  try {
    return loadSettings({ flags: {}, env, cwd: process.cwd() }).settings.pager;
  } catch {
    return env.PARLEY_PAGER ?? env.PAGER ?? DEFAULTS.pager;
  }
}

/** The command line of the pager; undefined where none is to be used or none is installed. */
export function pagerOf(options: PagerOptions): string | undefined {
  if (!options.tty || !options.wanted || options.env.TERM === "dumb") return undefined;
  const command = (options.name ?? settingOf(options.env)).trim();
  return command === "" || command === "cat" || !canRun(command, options.env) ? undefined : command;
}

/**
 * Runs with the pager as output and ends when its reader does. `gone` is aborted when the reader left before the end:
 * what the run throws after that is no failure.
 */
export async function withPager<T>(
  command: string,
  options: { env: Env; lendInterrupt(): () => void },
  run: (out: NodeJS.WritableStream, gone: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const giveBack = options.lendInterrupt();
  const gone = new AbortController();
  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS: "FRX", LV: "-c", ...options.env },
  });
  const closed = once(child, "close");
  child.stdin.on("error", () => gone.abort());
  void closed.then(() => gone.abort());
  try {
    return await run(child.stdin, gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return undefined;
    throw error;
  } finally {
    child.stdin.end();
    await closed;
    giveBack();
  }
}
