/** `parley completion`: prints a shell's completion script. */
import { shellCommand } from "../../base/shell-command.ts";
import { COMPLETION_ARGS } from "./args.ts";

export const completion = shellCommand({
  summary: "Print the completion script for a shell",
  group: "Setup",
  skipsConfig: true,
  examples: ["completion bash >> ~/.bashrc", "completion fish > ~/.config/fish/completions/parley.fish"],
  args: COMPLETION_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
