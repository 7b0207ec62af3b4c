/** `parley screen run`: runs a command in an open chat screen of this machine. */
import { command } from "../../../commands/base/define-command.ts";
import { openScreens, runOnScreen, type OpenScreen } from "../../../config/screens.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";
import { showOne } from "../../output/results.ts";

/** The screen with this process id, else the only one of the profile. Throws `ExitError` 2 or 3. */
function findScreen({ settings }: Shell, open: readonly OpenScreen[], pid: number | undefined): OpenScreen {
  const found = open.filter((screen) =>
    pid === undefined ? screen.profile === settings.profile : screen.pid === pid,
  );
  if (found.length > 1)
    throw new ExitError(
      2,
      `${found.length} chat screens of profile '${settings.profile}' are open.`,
      `Name one with --pid: ${found.map((screen) => screen.pid).join(", ")}.`,
    );
  if (found[0]) return found[0];
  const owner = pid === undefined ? `of profile '${settings.profile}'` : `of process ${pid}`;
  throw new ExitError(3, `No chat screen ${owner} is open.`, "parley screen list");
}

export default command({
  shell: true,
  summary: "Run a command in an open chat screen",
  examples: ["screen run /search deploy", "screen run /join '#ops'"],
  args: {
    line: { kind: "words", positional: "rest", help: "The command as typed in the box" },
    pid: { kind: "number", value: "pid", help: "Process id of the screen, if several are open" },
  },
  async run(shell: Shell, { line, pid }) {
    const { pid: screenPid, channel } = findScreen(shell, await openScreens(shell.env), pid);
    const { answered, fault } = await runOnScreen(shell.env, screenPid, line);
    if (!answered)
      throw new ExitError(
        11,
        `The chat screen of process ${screenPid} did not answer.`,
        "Check it before you run the command again.",
      );
    if (fault !== undefined) throw new ExitError(2, fault, "parley screen run --help");
    return showOne(
      shell,
      { pid: screenPid, channel, line },
      `ran ${line} in the screen of process ${screenPid}`,
    );
  },
});
