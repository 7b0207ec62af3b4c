/** `parley mcp`: serves the commands to AI assistants (Model Context Protocol over standard input and output). */
import { shellCommand } from "../../base/shell-command.ts";
import { MCP_ARGS } from "./args.ts";

export const mcp = shellCommand({
  summary: "Serve the commands to an AI assistant over standard input and output (MCP)",
  group: "Scripts",
  examples: ["mcp", "mcp --list", "mcp --write --tool 'message *' --tool search"],
  args: MCP_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
