/** `parley screen run`: runs a line in a chat screen that is open on this machine. */
import { openScreens, runOnScreen, type OpenScreen } from "../../../config/screens.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { RUN_ARGS } from "./args.ts";

/** The one that is meant: by its process, else the only one of the profile. Throws `ExitError` 2 or 3. */
function meant({ settings }: Shell, open: readonly OpenScreen[], pid: number | undefined): OpenScreen {
  const list = "parley screen list";
  const found = open.filter((screen) =>
    pid === undefined ? screen.profile === settings.profile : screen.pid === pid,
  );
  if (found.length > 1)
    throw new ExitError(
      2,
      `${found.length} chat screens of profile '${settings.profile}' are open.`,
      `Name one with --pid: ${found.map((screen) => screen.pid).join(", ")}.`,
    );
  const one = found[0];
  if (one) return one;
  const wanted = pid === undefined ? `of profile '${settings.profile}'` : `of process ${pid}`;
  throw new ExitError(3, `No chat screen ${wanted} is open.`, list);
}

const run: ShellRun<typeof RUN_ARGS> = async (shell, { line, pid }) => {
  const { pid: at, channel } = meant(shell, await openScreens(shell.env), pid);
  const { answered, fault } = await runOnScreen(shell.env, at, line);
  if (!answered)
    throw new ExitError(
      11,
      `The chat screen of process ${at} did not answer.`,
      "Look at it before you repeat.",
    );
  if (fault !== undefined) throw new ExitError(2, fault, "parley screen run --help");
  return showOne(shell, { pid: at, channel, line }, `${line} runs in the screen of process ${at}`);
};
export default run;
