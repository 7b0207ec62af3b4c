/** Arguments of `parley notify`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

export const NOTIFY_ARGS = {
  channels: {
    kind: "list",
    positional: true,
    optional: true,
    help: "Only these channels, even if muted (default: all of yours that are not muted)",
  },
  mentions: flagRow("Only messages that mention you, and direct ones"),
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
} as const satisfies Args;
