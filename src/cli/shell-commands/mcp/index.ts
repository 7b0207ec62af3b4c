/** `parley mcp`: serves the commands to AI assistants (Model Context Protocol over standard input and output). */
// Own code over the command table, for both generations of the protocol: from start to the list of tools it takes 24 ms and 44 MiB,
// against 74 ms and 63 MiB with the official SDK, which would add 430 kB to the bundle.
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
