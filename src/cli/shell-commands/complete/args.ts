/** Arguments of `parley __complete`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const COMPLETE_ARGS = {
  words: { kind: "list", positional: true, optional: true, mayBeEmpty: true, help: "The words typed so far" },
} as const satisfies Args;
