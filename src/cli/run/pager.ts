/** Runs the pager (with `LESS=FRX`); disabled in pipes, by --no-pager, and by the names `cat` and "". */
import { withoutSecrets } from "../../config/child-env.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { loadSettings } from "../../config/load.ts";
import { DEFAULTS } from "../../config/settings.ts";
import type { Env } from "../../config/paths.ts";

interface PagerOptions {
  env: Env;
  tty: boolean;
  /** `--no-pager` was not given. */
  isAllowed: boolean;
  /** The setting `pager`; loaded if missing. */
  name?: string;
}

/** Whether the program exists; a command with shell syntax is not checked. */
function canRun(command: string, env: Env): boolean {
  const [program = ""] = command.trim().split(/\s+/);
  if (!/^[\w./+-]+$/.test(program)) return true;
  const folders = program.includes("/") ? [""] : (env.PATH ?? "").split(path.delimiter);
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".com"] : [""];
  return folders.some((folder) =>
    endings.some((ending) => {
      try {
        accessSync(path.join(folder, program + ending), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

/** Falls back to the environment if the settings cannot be read, so that help always works. */
function settingOf(env: Env): string {
  try {
    return loadSettings({ flags: {}, env, cwd: process.cwd() }).settings.pager;
  } catch {
    return env.PARLEY_PAGER ?? env.PAGER ?? DEFAULTS.pager;
  }
}

/** The command line of the pager, or undefined if it is disabled or not installed. */
export function pagerOf(options: PagerOptions): string | undefined {
  if (!options.tty || !options.isAllowed || options.env.TERM === "dumb") return undefined;
  const command = (options.name ?? settingOf(options.env)).trim();
  return command === "" || command === "cat" || !canRun(command, options.env) ? undefined : command;
}

/**
 * Runs with the pager as output, and waits until the pager is closed. The signal aborts when it is closed early;
 * errors after that are ignored.
 */
export async function withPager<T>(
  command: string,
  options: { env: Env; lendInterrupt(): () => void },
  run: (out: NodeJS.WritableStream, closed: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const restoreInterrupt = options.lendInterrupt();
  const closing = new AbortController();
  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS: "FRX", LV: "-c", ...withoutSecrets(options.env) },
  });
  const closed = once(child, "close");
  child.stdin.on("error", () => closing.abort());
  void closed.then(() => closing.abort());
  try {
    return await run(child.stdin, closing.signal);
  } catch (error) {
    if (closing.signal.aborted) return undefined;
    throw error;
  } finally {
    child.stdin.end();
    await closed;
    restoreInterrupt();
  }
}
