/** `parley tail`: prints messages of channels as they arrive. */
import { shellCommand } from "../../base/shell-command.ts";
import { TAIL_ARGS } from "./args.ts";

export const tailCommand = shellCommand({
  summary: "Print the messages of channels as they arrive",
  group: "Daily",
  examples: [
    "tail team:ops",
    "tail --all --ndjson | jq -r .message.text",
    "tail '#ops' --until-match 'deploy done' --exit-after 10m",
    "tail '#ops' --last 0 --exec './on-message.sh'",
  ],
  args: TAIL_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
