/** Arguments of `parley completion`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const COMPLETION_ARGS = {
  shell: {
    kind: "choice",
    positional: true,
    choices: ["bash", "zsh", "fish", "powershell"],
    help: "bash, zsh, fish or powershell",
  },
} as const satisfies Args;
