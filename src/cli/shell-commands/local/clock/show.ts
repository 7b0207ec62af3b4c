/** `parley local clock show`: prints the time of the embedded provider. */
import type { ShellRun } from "../../../base/shell-command.ts";
import { showClock } from "./clock.ts";

const show: ShellRun<{}> = (shell) => showClock(shell, {});
export default show;
