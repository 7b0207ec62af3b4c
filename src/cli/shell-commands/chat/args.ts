/** Arguments of `parley chat`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

export const CHAT_ARGS = {
  channel: { kind: "channel", positional: true, optional: true, help: "Open this channel first" },
  theme: {
    kind: "text",
    help: "Theme of the screen: auto, dark, light, contrast … (parley help screen)",
  },
  readOnly: flagRow(
    "Only read: send, change and mark nothing, and show no typing; others still see you online",
  ),
  plain: flagRow("Print plain lines and never redraw"),
} as const satisfies Args;
