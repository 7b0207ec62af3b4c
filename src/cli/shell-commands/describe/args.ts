/** Arguments of `parley describe`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const DESCRIBE_ARGS = {
  command: { kind: "list", positional: true, optional: true, help: "Describe only this command" },
} as const satisfies Args;
