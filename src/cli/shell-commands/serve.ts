/** `parley serve`: runs the embedded provider in the foreground, until Ctrl-C. */
import { fstatSync, writeSync } from "node:fs";
import { readProblem } from "../base/problem.ts";
import { CommandError, command } from "../../commands/base/define-command.ts";
import { printNotice, type Shell } from "../base/shell.ts";

/** The file descriptor on which the starting process receives reports. */
const STARTER_FD = 3;

/** Reports a failed start to the starting process, which prints it; rethrows it for the log. */
function reportToStarter(error: unknown): never {
  const { exit, message, hint } = readProblem(error);
  sendToStarter({ exit, message, hint });
  throw error;
}

function sendToStarter(report: object): void {
  try {
    if (fstatSync(STARTER_FD).isSocket()) writeSync(STARTER_FD, `${JSON.stringify(report)}\n`);
  } catch {
    // The starting process has gone.
  }
}

/** Validates an origin (scheme, host and port). Throws `CommandError` (usage), since a browser would send nothing else. */
function originOf(text: string): string {
  const origin = URL.parse(text)?.origin;
  if (
    origin !== undefined &&
    origin !== "null" &&
    /^https?:/.test(origin) &&
    text.replace(/\/$/, "") === origin
  )
    return origin;
  const hint = "an origin is scheme, host and port, such as http://localhost:5173";
  throw new CommandError("usage", `${text} is not the origin of a web page`, hint);
}

export default command({
  shell: true,
  group: "Local",
  summary: "Run the embedded provider in the foreground",
  examples: ["serve", "serve --port 4100 --memory", "serve --allow-origin http://localhost:5173"],
  args: {
    port: { kind: "number", from: 0, to: 65_535, help: "TCP port on loopback; 0 picks a free one" },
    data: { kind: "file", help: "Data folder" },
    memory: { kind: "flag", help: "Store nothing on disk" },
    seed: {
      kind: "choice",
      choices: ["demo", "none"],
      help: "Initial content of a new data folder: demo or none",
    },
    allowOrigin: {
      kind: "list",
      value: "origin",
      help: "Let web pages of this origin use it, such as http://localhost:5173 (repeatable)",
    },
    rateLimits: { kind: "flag", help: "Refuse calls over the rate limits, which are only counted otherwise" },
  },
  async run(shell: Shell, args) {
    const { port, data, memory, seed, allowOrigin, rateLimits } = args;
    if (memory && data !== undefined)
      throw new CommandError("usage", "--memory and --data cannot be combined.");
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
      ...(background ? { report: (notice: string) => sendToStarter({ notice }) } : {}),
      signal: shell.signal,
      print: (line) => printNotice(shell, line),
      debug: shell.flags.verbose === true,
    });
    await (background ? served.catch(reportToStarter) : served);
    return 0;
  },
});
