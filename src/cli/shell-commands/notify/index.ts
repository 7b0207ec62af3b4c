/** `parley notify`: desktop notifications of new messages, without the screen. */
import { shellCommand } from "../../base/shell-command.ts";
import { NOTIFY_ARGS } from "./args.ts";

export const notify = shellCommand({
  summary: "Show a desktop notification for each incoming message",
  group: "Daily",
  examples: ["notify --mentions", "notify '#ops' '#builds'"],
  args: NOTIFY_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
