/** `parley help`: shows help pages and topics. */
import { shellCommand } from "../../base/shell-command.ts";
import { HELP_ARGS } from "./args.ts";

export const help = shellCommand({
  summary: "Show help for a command or a topic",
  group: "Setup",
  examples: ["help commands", "help poll create", "help exit-codes"],
  skipsConfig: true,
  args: HELP_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
