/** `parley local status`: shows whether the provider runs, and where; `-o env` prints shell variables. */
import { command } from "../../../commands/base/define-command.ts";
import path from "node:path";
import type { LocalState } from "../../../open.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import { write } from "../../base/stdio.ts";
import { showOne } from "../../output/results.ts";

type StateOf<S extends LocalState["state"]> = Extract<LocalState, { state: S }>;

export default command({
  shell: true,
  summary: "Show whether the embedded provider is running, where and since when",
  examples: ["local status", 'eval "$(parley local status -o env)"'],
  allowsDryRun: true,
  args: {
    output: {
      kind: "choice",
      short: "o",
      choices: ["env", "json"],
      help: "env: shell variables that another program needs to connect; json",
    },
  },
  async run(original: Shell, { output }) {
    // Like `--json`; other tools have `-o json`.
    const shell = output === "json" ? { ...original, flags: { ...original.flags, json: "" } } : original;
    const found = await shell.host.local.probe();
    if (output === "env") return printEnvironment(shell, found);
    if (found.state === "silent") return showSilent(shell, found);
    const { folder } = shell.host.local;
    if (found.state === "absent")
      return showOne(shell, { running: false, folder }, `not running; its data is in ${folder}`);
    const { duration: _duration, ...known } = await shell.host.local.control("status", {});
    const result = { running: true, ...known, folder };
    const fields = Object.entries(result).filter(
      (row): row is [string, string] => typeof row[1] !== "object",
    );
    return showOne(shell, result, { kind: "fields", fields });
  },
});

const unavailableReason = ({ pid, listening }: StateOf<"silent">): string =>
  listening
    ? `process ${pid} is running but does not answer`
    : `process ${pid} uses its folder but does not listen: it is starting or stopping`;

const FORCE_HINT = "parley local stop --force kills it";

/** Shows a process that uses the folder but does not answer; exits with 10 (unavailable). */
async function showSilent(shell: Shell, found: StateOf<"silent">): Promise<number> {
  const { pid, listening } = found;
  const { folder } = shell.host.local;
  const result = { running: true, answers: false, listening, pid, folder };
  await showOne(shell, result, `${unavailableReason(found)}; ${FORCE_HINT}`);
  return 10;
}

/** Throws `ExitError` 10 if there is nothing to connect to, because the output is evaluated by a shell. */
async function printEnvironment(shell: Shell, found: LocalState): Promise<number> {
  if (found.state === "silent")
    throw new ExitError(10, `The embedded provider: ${unavailableReason(found)}.`, FORCE_HINT);
  if (found.state === "absent")
    throw new ExitError(10, "The embedded provider is not running.", "parley local start");
  const { url, apiKey } = found;
  const lines = [
    `export PARLEY_LOCAL_URL='${url}'`,
    `export PARLEY_LOCAL_WS_URL='${url.replace(/^http/, "ws")}'`,
    `export PARLEY_LOCAL_KEY='${apiKey}'`,
    `export PARLEY_LOCAL_SECRET_FILE='${path.join(shell.host.local.folder, "secret")}'`,
  ];
  await write(shell.out, `${lines.join("\n")}\n`);
  return 0;
}
