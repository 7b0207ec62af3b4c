/** `parley __complete`: what a shell's completion script asks. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";

export const COMPLETE_ARGS = {
  words: { kind: "list", place: "positional", optional: true, help: "The words typed so far" },
} as const satisfies Args;

export const complete = shellCommand({
  summary: "Answer a completion",
  group: "Setup",
  bare: true,
  hidden: true,
  args: COMPLETE_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
