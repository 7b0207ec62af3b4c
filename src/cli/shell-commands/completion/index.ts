/** `parley completion`: the script that makes a shell complete what is typed. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";

export const COMPLETION_ARGS = {
  shell: {
    kind: "choice",
    place: "positional",
    choices: ["bash", "zsh", "fish", "powershell"],
    help: "bash, zsh, fish or powershell",
  },
} as const satisfies Args;

export const completion = shellCommand({
  summary: "Print the completion script for a shell",
  group: "Setup",
  bare: true,
  examples: ["completion bash >> ~/.bashrc", "completion fish > ~/.config/fish/completions/parley.fish"],
  args: COMPLETION_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
