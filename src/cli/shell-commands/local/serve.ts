/** `parley serve`: the embedded provider in the foreground, until Ctrl-C. */
import { fstatSync, writeSync } from "node:fs";
import { readProblem } from "../../base/problem.ts";
import { CommandError } from "../../../commands/base/define-command.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { SERVE_ARGS } from "./args.ts";
import { printNotice } from "../../base/shell.ts";

/** Where whoever started this one listens for why it could not start. */
const STARTER = 3;

/** Told to the starter, which prints it in its own name; thrown on for the log. */
function reportToStarter(error: unknown): never {
  const { exit, message, hint } = readProblem(error);
  tell({ exit, message, hint });
  throw error;
}

function tell(report: object): void {
  try {
    if (fstatSync(STARTER).isSocket()) writeSync(STARTER, `${JSON.stringify(report)}\n`);
  } catch {
    // Nobody waits for it any more.
  }
}

/** What a browser calls an origin: scheme, host and port. Anything else would never be met, and let nobody in. */
function originOf(given: string): string {
  const origin = URL.parse(given)?.origin;
  if (
    origin !== undefined &&
    origin !== "null" &&
    /^https?:/.test(origin) &&
    given.replace(/\/$/, "") === origin
  )
    return origin;
  const hint = "an origin is scheme, host and port, such as http://localhost:5173";
  throw new CommandError("usage", `${given} is not the origin of a web page`, hint);
}

const serve: ShellRun<typeof SERVE_ARGS> = async (shell, args) => {
  const { port, data, memory, seed, allowOrigin, rateLimits } = args;
  const background = shell.env.PARLEY_BACKGROUND === "1";
  const served = shell.host.local.serve({
    ...(port === undefined ? {} : { port }),
    ...(data === undefined ? {} : { data }),
    memory: memory === true,
    allowOrigins: allowOrigin.map(originOf),
    rateLimits: rateLimits === true,
    seed: (seed ?? shell.env.PARLEY_LOCAL_SEED) !== "none",
    stay: !background,
    background,
    ...(background ? { tell: (notice: string) => tell({ notice }) } : {}),
    signal: shell.signal,
    say: (line) => printNotice(shell, line),
    debug: shell.flags.verbose === true,
  });
  await (background ? served.catch(reportToStarter) : served);
  return 0;
};
export default serve;
