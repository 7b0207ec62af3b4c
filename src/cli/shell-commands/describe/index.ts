/** `parley describe`: prints the command tree for programs. */
import { shellCommand } from "../../base/shell-command.ts";
import { DESCRIBE_ARGS } from "./args.ts";

export const describe = shellCommand({
  summary: "Print the command tree as JSON",
  group: "Scripts",
  examples: ["describe", "describe channel list"],
  skipsConfig: true,
  args: DESCRIBE_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
