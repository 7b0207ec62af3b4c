/** `parley help`: pages of commands, and topics. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";

export const HELP_ARGS = {
  words: { kind: "list", place: "positional", optional: true, help: "A command, or a topic" },
} as const satisfies Args;

export const help = shellCommand({
  summary: "Show help for a command or a topic",
  group: "Setup",
  examples: ["help commands", "help poll create", "help exit-codes"],
  bare: true,
  args: HELP_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
