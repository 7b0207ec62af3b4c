/** `parley tail`: prints messages of channels or passes each to a command; none is lost during a reconnect. */
import type { ShellRun } from "../../base/shell-command.ts";
import { followEvents } from "./follow.ts";
import type { TAIL_ARGS } from "./args.ts";
import { readTailOptions } from "./options.ts";
import { eventOutput } from "./event-output.ts";

const tail: ShellRun<typeof TAIL_ARGS> = (shell, args) => {
  const { match, exec, ...options } = readTailOptions(shell, args);
  return followEvents(shell, "tail", options, eventOutput(shell, { match, exec }));
};
export default tail;
