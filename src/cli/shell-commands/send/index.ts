/** `parley send`: the short form of `message send`, with additional flags. */
import { shellCommand } from "../../base/shell-command.ts";
import { SEND_ARGS } from "./args.ts";

export const send = shellCommand({
  summary: "Send a message to a channel",
  group: "Daily",
  examples: [
    "send team:ops deploy done",
    "echo done | parley send '#ops' -",
    "send @ana --file report.pdf here it is",
    "git log -9 | parley send '#ops' --split -",
    "tail -f app.log | parley send '#ops' --lines -",
    "parley send '#ops' --lines --report sent.ndjson - < lines.txt",
  ],
  args: SEND_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
