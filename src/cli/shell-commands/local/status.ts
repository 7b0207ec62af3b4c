/** `parley local status`: whether the provider runs, and where; with `-o env` as lines for a shell. */
import path from "node:path";
import type { LocalState } from "../../../open.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { write } from "../../base/stdio.ts";
import { showOne } from "../../output/results.ts";
import type { STATUS_ARGS } from "./args.ts";

type Found<S extends LocalState["state"]> = Extract<LocalState, { state: S }>;

const status: ShellRun<typeof STATUS_ARGS> = async (given, { output }) => {
  // `-o json` is `--json` for those who know it from other tools.
  const shell = output === "json" ? { ...given, flags: { ...given.flags, json: "" } } : given;
  const found = await shell.host.local.look();
  if (output === "env") return printEnvironment(shell, found);
  if (found.state === "silent") return silent(shell, found);
  const { folder } = shell.host.local;
  if (found.state === "absent")
    return showOne(shell, { running: false, folder }, `not running; its data is in ${folder}`);
  const { duration: _duration, ...known } = await shell.host.local.control("status", {});
  const told = { running: true, ...known, folder };
  const fields = Object.entries(told).filter((row): row is [string, string] => typeof row[1] !== "object");
  return showOne(shell, told, { kind: "fields", fields });
};
export default status;

const whyNot = ({ pid, listening }: Found<"silent">): string =>
  listening
    ? `process ${pid} runs it but does not answer`
    : `process ${pid} has its folder but does not listen: it is starting or ending`;

const FORCE = "parley local stop --force ends it";

/** A process has the folder and does not answer: said as it is, with the code for "not now". */
async function silent(shell: Shell, found: Found<"silent">): Promise<number> {
  const { pid, listening } = found;
  const { folder } = shell.host.local;
  const told = { running: true, answers: false, listening, pid, folder };
  await showOne(shell, told, `${whyNot(found)}; ${FORCE}`);
  return 10;
}

/** Prose is nothing for the shell that reads this: where nothing can be connected to, it ends with code 10. */
async function printEnvironment(shell: Shell, found: LocalState): Promise<number> {
  if (found.state === "silent") throw new ExitError(10, `The embedded provider: ${whyNot(found)}.`, FORCE);
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
