/** `parley __complete`: the hidden command that completion scripts call. */
import { shellCommand } from "../../base/shell-command.ts";
import { COMPLETE_ARGS } from "./args.ts";

export const completeCommand = shellCommand({
  summary: "Answer a completion",
  group: "Setup",
  skipsConfig: true,
  hidden: true,
  args: COMPLETE_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
