/** Arguments of `parley mcp`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

export const MCP_ARGS = {
  write: flagRow("Also offer commands that change something; they ask as on a terminal"),
  ops: flagRow("Also offer commands that need the app's secret"),
  tool: {
    kind: "list",
    value: "command",
    help: "Offer only this command, or 'channel *' for a noun (repeatable); a profile's own list narrows it further",
  },
  list: flagRow("Print the tools that would be offered, and exit"),
} as const satisfies Args;
