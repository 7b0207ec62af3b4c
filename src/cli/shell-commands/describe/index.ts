/** `parley describe`: the command tree for programs. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";

export const DESCRIBE_ARGS = {
  command: { kind: "list", place: "positional", optional: true, help: "Describe only this command" },
} as const satisfies Args;

export const describe = shellCommand({
  summary: "Print the command tree as JSON",
  group: "Scripts",
  examples: ["describe", "describe channel list"],
  bare: true,
  args: DESCRIBE_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
