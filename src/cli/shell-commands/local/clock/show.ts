/** `parley local clock show`: prints the time of the embedded provider. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { showClock } from "./clock.ts";

export default command({
  shell: true,
  summary: "Show the embedded provider's time",
  examples: ["local clock show", "local clock show --json"],
  allowsDryRun: true,
  run: (shell: Shell) => showClock(shell, {}),
});
