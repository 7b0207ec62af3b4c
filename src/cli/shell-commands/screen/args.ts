/** Arguments of `parley screen …`. */
import type { Args } from "../../../commands/base/define-command.ts";

export const RUN_ARGS = {
  line: { kind: "words", positional: "rest", help: "The command as typed in the box" },
  pid: { kind: "number", value: "pid", help: "Process id of the screen, if several are open" },
} as const satisfies Args;
