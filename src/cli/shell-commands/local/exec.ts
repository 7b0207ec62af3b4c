/** `parley local exec`: runs another program while the embedded provider is up. */
import { command } from "../../../commands/base/define-command.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { withoutSecrets } from "../../../config/child-env.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";

export default command({
  shell: true,
  summary: "Run a command while the embedded provider is up, and exit with its code",
  examples: ["local exec -- npm test", "parley local exec -- sh -c 'parley channel list'"],
  args: {
    command: { kind: "list", positional: true, mayBeEmpty: true, help: "The command and its arguments" },
  },
  async run(shell: Shell, { command }) {
    const { local } = shell.host;
    // A provider that was running before is not stopped afterwards.
    const before = await local.find();
    await local.start(true);
    try {
      return await runProgram(shell, command);
    } finally {
      if (!before) await local.stop();
    }
  },
});

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
