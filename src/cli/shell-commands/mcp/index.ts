/** `parley mcp`: the command table for assistants, by the Model Context Protocol over standard input and output. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";

export const MCP_ARGS = {
  write: flag("Offer commands that change something, too; they ask as in a terminal"),
  ops: flag("Offer commands that need the app's secret, too"),
  tool: {
    kind: "list",
    value: "command",
    help: "Offer only this command, or 'channel *' for a noun (repeat for more); a profile's own list narrows it further",
  },
  list: flag("Print the tools that would be offered, and end"),
} as const satisfies Args;

export const mcp = shellCommand({
  summary: "Offer the commands to an assistant over standard input and output",
  group: "Scripts",
  examples: ["mcp", "mcp --list", "mcp --write --tool 'message *' --tool search"],
  args: MCP_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
