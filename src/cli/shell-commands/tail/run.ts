/** `parley tail`: prints messages of channels or passes each to a command; none is lost during a reconnect. */
import type { ShellRun } from "../../base/shell-command.ts";
import { followEvents } from "./follow.ts";
import type { TAIL_ARGS } from "./args.ts";
import { readTailOptions } from "./options.ts";
import { endlessOutput } from "../../output/results.ts";
import { eventOutput } from "./event-output.ts";

const tail: ShellRun<typeof TAIL_ARGS> = async (unchecked, args) => {
  const shell = args.noFollow ? unchecked : endlessOutput(unchecked);
  const { match, exec, ...options } = readTailOptions(shell, args);
  const { end, ...output } = eventOutput(shell, { match, exec });
  try {
    const code = await followEvents(shell, "tail", options, output);
    await end();
    return code;
  } catch (error) {
    // The events before the error still form a complete document.
    if (shell.counts.items > 0) await end();
    throw error;
  }
};
export default tail;
