/** Arguments of `parley local clock …`. */
import type { Args } from "../../../../commands/base/define-command.ts";

export const ADVANCE_ARGS = {
  by: { kind: "duration", value: "length", positional: true, help: "By how much: 90s, 15m, 2h, 7d" },
} as const satisfies Args;
