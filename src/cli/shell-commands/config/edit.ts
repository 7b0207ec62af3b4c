/** `parley config edit`: opens the config file in an editor, and saves the change only if it is valid. */
import { command } from "../../../commands/base/define-command.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { checkConfigFile } from "../../../config/load.ts";
import { configFile } from "../../../config/paths.ts";
import { withoutSecrets } from "../../../config/child-env.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice, type Shell } from "../../base/shell.ts";

export default command({
  shell: true,
  summary: "Open the config file in your editor",
  examples: ["config edit", "VISUAL=nano parley config edit"],
  skipsConfig: true,
  async run(shell: Shell) {
    if (!shell.tty.in || !shell.tty.out)
      throw new ExitError(2, "An editor needs a terminal.", "parley config set, or parley config path");
    const file = configFile(shell.env);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const copy = `${file}.${process.pid}.json`;
    if (existsSync(file)) copyFileSync(file, copy);
    else writeFileSync(copy, '{\n  "settings": {}\n}\n', { mode: 0o600 });
    const before = readFileSync(copy, "utf8");
    try {
      await runEditor(shell, copy);
      if (readFileSync(copy, "utf8") === before) {
        printNotice(shell, "nothing was changed");
        return 0;
      }
      checkConfigFile(copy);
      renameSync(copy, file);
      printNotice(shell, `${file} was changed`);
      return 0;
    } finally {
      rmSync(copy, { force: true });
    }
  },
});

/** Usually taken from the environment: the config file that could name an editor may be damaged. */
const editorOf = ({ env, settings }: Shell): string =>
  env.PARLEY_EDITOR || env.VISUAL || env.EDITOR || settings.editor || "vi";

async function runEditor(shell: Shell, file: string): Promise<void> {
  // The editor may have flags (`code --wait`); it is started without a shell.
  const [command = "vi", ...flags] = editorOf(shell).split(/\s+/).filter(Boolean);
  const restoreInterrupt = shell.lendInterrupt();
  try {
    const child = spawn(command, [...flags, file], { stdio: "inherit", env: withoutSecrets(shell.env) });
    const failed = once(child, "error").then(([error]) => {
      throw new ExitError(1, `${command} cannot be started: ${(error as Error).message}`);
    });
    const [code] = (await Promise.race([once(child, "exit"), failed])) as [number | null];
    if (code !== 0) throw new ExitError(1, `${command} ended with ${code}: nothing was changed.`);
  } finally {
    restoreInterrupt();
  }
}
