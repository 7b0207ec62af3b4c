/** `parley notify`: desktop notifications of new messages, without the screen. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";

export const NOTIFY_ARGS = {
  channels: {
    kind: "list",
    place: "positional",
    optional: true,
    help: "Only these channels (default: all of yours that are not muted)",
  },
  mentions: flag("Only messages that mention you, and direct ones"),
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
} as const satisfies Args;

export const notify = shellCommand({
  summary: "Show a desktop notification for each incoming message",
  group: "Daily",
  examples: ["notify --mentions", "notify '#ops' '#builds'"],
  args: NOTIFY_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
