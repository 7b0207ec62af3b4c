/** `parley tail`: prints messages of channels or passes each to a command; none is lost during a reconnect. */
import type { Shell } from "../base/shell.ts";
import { command } from "../../commands/base/define-command.ts";
import { followEvents } from "./tail/follow.ts";
import { readTailOptions, TAIL_ARGS } from "./tail/options.ts";
import { endlessOutput } from "../output/results.ts";
import { eventOutput } from "./tail/event-output.ts";

export default command({
  shell: true,
  group: "Daily",
  summary: "Print the messages of channels as they arrive",
  examples: [
    "tail team:ops",
    "tail --all --ndjson | jq -r .message.text",
    "tail '#ops' --until-match 'deploy done' --exit-after 10m",
    "tail '#ops' --last 0 --exec './on-message.sh'",
  ],
  allowsDryRun: true,
  args: TAIL_ARGS,
  async run(unchecked: Shell, args) {
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
  },
});
