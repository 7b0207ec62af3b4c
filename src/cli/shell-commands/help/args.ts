/** Arguments of `parley help`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const HELP_ARGS = {
  words: { kind: "list", positional: true, optional: true, help: "A command, or a topic" },
} as const satisfies Args;
