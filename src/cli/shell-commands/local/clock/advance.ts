/** `parley local clock advance`: moves the clock of the embedded provider forward. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { showClock } from "./clock.ts";

export default command({
  shell: true,
  summary: "Advance the embedded provider's clock",
  examples: ["local clock advance 2h", "local clock advance 7d --json"],
  args: {
    by: { kind: "duration", value: "length", positional: true, help: "By how much: 90s, 15m, 2h, 7d" },
  },
  run: (shell: Shell, { by }) => showClock(shell, { advance_ms: by }),
});
