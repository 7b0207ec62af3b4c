/** `parley local clock advance`: moves the clock of the embedded provider forward. */
import type { ShellRun } from "../../../base/shell-command.ts";
import { showClock } from "./clock.ts";
import type { ADVANCE_ARGS } from "./args.ts";

const advance: ShellRun<typeof ADVANCE_ARGS> = (shell, { by }) => showClock(shell, { advance_ms: by });
export default advance;
