/** `parley local exec`: runs another program while the embedded provider is up. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { withoutSecrets } from "../../../config/child-env.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { EXEC_ARGS } from "./args.ts";

const exec: ShellRun<typeof EXEC_ARGS> = async (shell, { command }) => {
  const { local } = shell.host;
  // A provider that was running before is not stopped afterwards.
  const before = await local.find();
  await local.start(true);
  try {
    return await runProgram(shell, command);
  } finally {
    if (!before) await local.stop();
  }
};
export default exec;

async function runProgram(shell: Shell, [program, ...words]: readonly string[]): Promise<number> {
  const child = spawn(program!, words, {
    stdio: "inherit",
    env: {
      ...withoutSecrets(shell.env),
      PARLEY_PROFILE: "local",
      PARLEY_LOCAL_DATA: shell.host.local.folder,
      // The program finds `parley` by name even if it is not installed.
      PARLEY_NODE: process.execPath,
      PATH: [path.dirname(process.argv[1]!), shell.env.PATH].filter(Boolean).join(path.delimiter),
    },
  });
  shell.signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const failed = new Promise<never>((_, reject) =>
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? new ExitError(3, `There is no program ${program}.`) : error),
    ),
  );
  const [code, signal] = (await Promise.race([once(child, "exit"), failed])) as [
    number | null,
    string | null,
  ];
  return code ?? (signal === "SIGINT" ? 130 : 143);
}
